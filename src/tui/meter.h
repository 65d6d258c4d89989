// SPDX-License-Identifier: Apache-2.0
// A horizontal bar in parts, each with its own character and colour.
#pragma once

#include <span>
#include <string_view>

#include "tui/pane.h"

namespace gpusight::tui {

struct MeterPart {
  double amount = 0;
  std::string_view glyph;
  Style style;
};

// Fills the first row of `pane`; `total` is the whole width. A part that is not empty gets at
// least one cell as long as there is room, and what is left of `total` stays blank.
void DrawMeter(const Pane& pane, std::span<const MeterPart> parts, double total);

}  // namespace gpusight::tui
