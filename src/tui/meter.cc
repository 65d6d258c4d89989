// SPDX-License-Identifier: Apache-2.0
#include "tui/meter.h"

#include <algorithm>
#include <cmath>

namespace gpusight::tui {

void DrawMeter(const Pane& pane, std::span<const MeterPart> parts, double total) {
  if (!(total > 0)) return;
  double sum = 0;
  int column = 0;
  for (const MeterPart& part : parts) {
    if (!(part.amount > 0)) continue;
    sum += part.amount;
    int end = static_cast<int>(std::lround(std::min(sum / total, 1.0) * pane.width()));
    end = std::min(std::max(end, column + 1), pane.width());
    for (; column < end; ++column) pane.Put(column, 0, part.glyph, part.style);
  }
}

}  // namespace gpusight::tui
