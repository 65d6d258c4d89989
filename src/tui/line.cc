// SPDX-License-Identifier: Apache-2.0
#include "tui/line.h"

#include <algorithm>
#include <limits>

namespace gpusight::tui {

Line& Line::Add(std::string text, Style style, int rank, int gap) {
  if (!text.empty()) parts_.push_back({std::move(text), style, rank, gap, right_});
  return *this;
}

Line& Line::Right() {
  right_ = true;
  return *this;
}

int Line::WidthUpTo(int rank) const {
  int width = 0;
  for (const Part& part : parts_) {
    if (part.rank > rank) continue;
    width += DisplayWidth(part.text) + (width > 0 ? part.gap : 0);
  }
  return width;
}

int Line::Width() const { return WidthUpTo(std::numeric_limits<int>::max()); }

void Line::Draw(const Pane& pane, int row, std::string_view filler) const {
  int rank = 0;
  for (const Part& part : parts_) rank = std::max(rank, part.rank);
  while (rank > 0 && WidthUpTo(rank) > pane.width()) --rank;

  int column = 0, right_width = 0;
  for (const Part& part : parts_) {
    if (part.rank > rank) continue;
    if (part.right) {
      right_width += DisplayWidth(part.text) + (right_width > 0 ? part.gap : 0);
    } else {
      column = pane.Put(column + (column > 0 ? part.gap : 0), row, part.text, part.style);
    }
  }
  if (right_width == 0 && filler.empty()) return;
  const int left = column + (column > 0 ? 1 : 0);
  const int begin = std::max(pane.width() - right_width, left);
  if (!filler.empty()) {
    const int end = begin - (right_width > 0 ? 1 : 0);
    for (int x = left; x < end; ++x) pane.Put(x, row, filler, Role::kMuted);
  }
  column = begin;
  for (const Part& part : parts_) {
    if (!part.right || part.rank > rank) continue;
    if (column > begin) column += part.gap;
    column = pane.Put(column, row, part.text, part.style);
  }
}

}  // namespace gpusight::tui
