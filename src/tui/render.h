// SPDX-License-Identifier: Apache-2.0
// Draws the state: a pure function from it to a grid of cells. One file per panel: panel_header.cc,
// panel_device.cc, device_charts.cc, device_line.cc, panel_table.cc, panel_footer.cc, pages.cc,
// dialog.cc.
#pragma once

#include "tui/canvas.h"
#include "tui/state.h"

namespace gpusight::tui {

[[nodiscard]] Canvas Render(const State& state);

}  // namespace gpusight::tui
