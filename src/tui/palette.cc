// SPDX-License-Identifier: Apache-2.0
#include "tui/palette.h"

#include <array>
#include <cstddef>

namespace gpusight::tui {
namespace {

struct PaletteRow {
  Role role;
  int color256;  // xterm's numbers
  int color8;    // ANSI's
  uint8_t colored, colorless;
};

constexpr int kDefault = -1;
constexpr int kGrey = 244, kBlue = 32, kGreen = 29, kPurple = 169, kVermilion = 166, kOrange = 136;
constexpr int kAnsiRed = 1, kAnsiGreen = 2, kAnsiYellow = 3, kAnsiMagenta = 5, kAnsiCyan = 6;

constexpr std::array<PaletteRow, static_cast<size_t>(Role::kCount)> kPalette = {{
    {Role::kText, kDefault, kDefault, kPlain, kPlain},
    {Role::kMuted, kGrey, kDefault, kPlain, kPlain},
    {Role::kTitle, kDefault, kDefault, kBold, kBold},
    {Role::kUtil, kBlue, kAnsiCyan, kPlain, kPlain},
    {Role::kSm, kGreen, kAnsiGreen, kPlain, kPlain},
    {Role::kTensor, kPurple, kAnsiMagenta, kPlain, kPlain},
    {Role::kDram, kVermilion, kAnsiRed, kPlain, kPlain},
    {Role::kMemory, kOrange, kAnsiYellow, kPlain, kPlain},
    {Role::kPower, kDefault, kDefault, kPlain, kPlain},
    {Role::kResidual, kPurple, kAnsiMagenta, kPlain, kPlain},
    {Role::kReserved, kGrey, kDefault, kPlain, kPlain},
    {Role::kFree, kGrey, kDefault, kPlain, kPlain},
    {Role::kGood, kGreen, kAnsiGreen, kPlain, kPlain},
    {Role::kWarning, kOrange, kAnsiYellow, kBold, kBold},
    {Role::kBad, kVermilion, kAnsiRed, kBold, kBold},
    // Without colours a selection below a reversed heading would look like its second line.
    {Role::kHeading, kDefault, kDefault, kReverse, kBold | kUnderline},
    {Role::kSelection, kBlue, kAnsiCyan, kReverse, kReverse},
    {Role::kKey, kBlue, kAnsiCyan, kBold, kBold},
    {Role::kBanner, kVermilion, kAnsiRed, kReverse | kBold, kReverse | kBold},
    {Role::kDialog, kDefault, kDefault, kPlain, kPlain},
    {Role::kMatch, kOrange, kAnsiYellow, kReverse, kUnderline},
}};

constexpr bool InOrder() {
  for (size_t i = 0; i < kPalette.size(); ++i) {
    if (kPalette[i].role != static_cast<Role>(i)) return false;
  }
  return true;
}
static_assert(InOrder(), "one row per role, in the order of the enum");

}  // namespace

Ink InkFor(Role role, ColorDepth depth) {
  const PaletteRow& row = kPalette[static_cast<size_t>(role)];
  switch (depth) {
    case ColorDepth::kNone:
      return {-1, -1, row.colorless};
    case ColorDepth::k8:
      return {row.color8, -1, row.colored};
    case ColorDepth::k256:
      return {row.color256, -1, row.colored};
  }
  return {};
}

}  // namespace gpusight::tui
