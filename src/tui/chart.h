// SPDX-License-Identifier: Apache-2.0
// Draws a history as a filled graph: braille dots (2 x 4 in a cell), eighth blocks when it is one
// row high, plain characters in ASCII mode. The area reaches up to the mean of each column, a dot
// marks its maximum. A known 0 draws its base line, an unknown column stays blank.
#pragma once

#include <span>

#include "tui/glyphs.h"
#include "tui/pane.h"
#include "tui/series.h"

namespace gpusight::tui {

// How many columns a pane of that width shows.
[[nodiscard]] size_t ChartColumns(int width, int height, const Glyphs& glyphs);

// `columns` as ChartColumns() asked for, oldest first, scaled so that `top` fills the pane.
void DrawChart(const Pane& pane, std::span<const ChartColumn> columns, double top, Style style,
               const Glyphs& glyphs);

}  // namespace gpusight::tui
