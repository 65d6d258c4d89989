// SPDX-License-Identifier: Apache-2.0
#include "tui/palette.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gpusight::tui {
namespace {

// Relative luminance of xterm's colour `number` (16-255), as WCAG defines it.
double Luminance(int number) {
  const auto linear = [](int value) {
    const double c = value / 255.0;
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  if (number >= 232) return linear(8 + (number - 232) * 10);
  const int cube[3] = {(number - 16) / 36, (number - 16) / 6 % 6, (number - 16) % 6};
  double part[3];
  for (int i = 0; i < 3; ++i) part[i] = linear(cube[i] == 0 ? 0 : 55 + 40 * cube[i]);
  return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
}

TEST(Palette, EveryColourCanBeReadOnBlackAndOnWhite) {
  for (int i = 0; i < static_cast<int>(Role::kCount); ++i) {
    const Ink ink = InkFor(static_cast<Role>(i), ColorDepth::k256);
    if (ink.foreground < 0) continue;  // the terminal's own
    const double luminance = Luminance(ink.foreground);
    EXPECT_GE(1.05 / (luminance + 0.05), 3.0) << "role " << i << " on white";
    EXPECT_GE((luminance + 0.05) / 0.05, 3.0) << "role " << i << " on black";
  }
}

TEST(Palette, WithoutColoursOnlyAttributesAreLeft) {
  for (int i = 0; i < static_cast<int>(Role::kCount); ++i) {
    const Ink ink = InkFor(static_cast<Role>(i), ColorDepth::kNone);
    EXPECT_EQ(ink.foreground, -1);
    EXPECT_EQ(ink.background, -1);
  }
  EXPECT_NE(InkFor(Role::kSelection, ColorDepth::kNone).attributes, kPlain);
  EXPECT_NE(InkFor(Role::kBad, ColorDepth::kNone).attributes, kPlain);
}

TEST(Palette, EightColoursAreEnough) {
  for (int i = 0; i < static_cast<int>(Role::kCount); ++i) {
    EXPECT_LT(InkFor(static_cast<Role>(i), ColorDepth::k8).foreground, 8);
  }
}

}  // namespace
}  // namespace gpusight::tui
