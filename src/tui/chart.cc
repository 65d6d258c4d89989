// SPDX-License-Identifier: Apache-2.0
#include "tui/chart.h"

#include <algorithm>
#include <cmath>

namespace gpusight::tui {
namespace {

bool IsBraille(int height, const Glyphs& glyphs) { return !glyphs.ascii && height > 1; }

// A value as a number of steps from the bottom: 0 when not known, at least 1 when known.
int Steps(float value, double top, int most) {
  if (!(value == value) || top <= 0) return 0;
  const double share = std::clamp(static_cast<double>(value) / top, 0.0, 1.0);
  return std::max(1, static_cast<int>(std::lround(share * most)));
}

void DrawBraille(const Pane& pane, std::span<const ChartColumn> columns, double top, Style style) {
  // Bits of U+2800 + n from the bottom dot of a column to its top one.
  constexpr char32_t kLeft[4] = {0x40, 0x04, 0x02, 0x01};
  constexpr char32_t kRight[4] = {0x80, 0x20, 0x10, 0x08};
  const int most = pane.height() * 4;
  for (int x = 0; x < pane.width(); ++x) {
    for (int y = 0; y < pane.height(); ++y) {
      const int below = (pane.height() - 1 - y) * 4;  // dots under this cell
      char32_t bits = 0;
      for (int side = 0; side < 2; ++side) {
        const auto index = static_cast<size_t>(x * 2 + side);
        if (index >= columns.size() || !columns[index].known()) continue;
        const int mean = Steps(columns[index].mean, top, most);
        const int peak = Steps(columns[index].max, top, most);
        for (int dot = 0; dot < 4; ++dot) {
          const int level = below + dot + 1;
          if (level <= mean || level == peak) bits |= side == 0 ? kLeft[dot] : kRight[dot];
        }
      }
      if (bits != 0) pane.Fill({x, y, 1, 1}, 0x2800 + bits, style);
    }
  }
}

void DrawBlocks(const Pane& pane, std::span<const ChartColumn> columns, double top, Style style,
                const Glyphs& glyphs) {
  constexpr char32_t kBlocks[8] = {U'▁', U'▂', U'▃', U'▄', U'▅', U'▆', U'▇', U'█'};
  constexpr char32_t kPlain[4] = {U'.', U':', U'|', U'#'};
  const int per_cell = glyphs.ascii ? 4 : 8;
  for (int x = 0; x < pane.width() && static_cast<size_t>(x) < columns.size(); ++x) {
    const ChartColumn& column = columns[static_cast<size_t>(x)];
    const int level = Steps(column.mean, top, pane.height() * per_cell);
    for (int y = 0; y < pane.height(); ++y) {
      const int part = std::min(level - (pane.height() - 1 - y) * per_cell, per_cell);
      if (part <= 0) continue;
      pane.Fill({x, y, 1, 1}, glyphs.ascii ? kPlain[part - 1] : kBlocks[part - 1], style);
    }
  }
}

}  // namespace

size_t ChartColumns(int width, int height, const Glyphs& glyphs) {
  return static_cast<size_t>(std::max(0, IsBraille(height, glyphs) ? width * 2 : width));
}

void DrawChart(const Pane& pane, std::span<const ChartColumn> columns, double top, Style style,
               const Glyphs& glyphs) {
  if (IsBraille(pane.height(), glyphs)) {
    DrawBraille(pane, columns, top, style);
  } else {
    DrawBlocks(pane, columns, top, style, glyphs);
  }
}

}  // namespace gpusight::tui
