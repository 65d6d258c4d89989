// SPDX-License-Identifier: Apache-2.0
// Colours. The series use hues of Okabe and Ito's set, which people with any colour blindness can
// tell apart, in shades that can be read on black and on white (palette_test.cc measures it), so
// that the background stays the terminal's own. No meaning rests on colour alone: charts have
// titles, parts of bars have characters of their own, trouble has a word.
#pragma once

#include "tui/style.h"

namespace gpusight::tui {

enum class ColorDepth : uint8_t { kNone, k8, k256 };

struct Ink {
  int foreground = -1;  // number in the terminal's palette; -1: its default
  int background = -1;
  uint8_t attributes = kPlain;
  friend bool operator==(const Ink&, const Ink&) = default;
};

// The colours of a role, without the style's own attributes.
[[nodiscard]] Ink InkFor(Role role, ColorDepth depth);

}  // namespace gpusight::tui
