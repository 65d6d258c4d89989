// SPDX-License-Identifier: Apache-2.0
#include "export/table.h"

#include <algorithm>

#include "base/text.h"

namespace gpusight::exporting {

std::string Table::Render(const Style& style, int indent) const {
  constexpr int kGap = 2;
  const std::string_view ellipsis = style.unicode ? "…" : "~";
  std::vector<int> width;
  for (const Column& column : columns_) width.push_back(DisplayWidth(column.title));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size() && i < width.size(); ++i) {
      width[i] = std::max(width[i], DisplayWidth(row[i].text));
      if (columns_[i].most > 0) {
        width[i] = std::min(width[i], std::max(columns_[i].most, DisplayWidth(columns_[i].title)));
      }
    }
  }
  int before = indent;
  for (size_t i = 0; i + 1 < width.size(); ++i) before += width[i] + kGap;
  if (!width.empty()) {
    const int left = std::max(style.columns - before, DisplayWidth(columns_.back().title));
    width.back() = std::min(width.back(), left);
  }

  std::string out;
  const auto line = [&](const auto& cell_of) {
    out.append(static_cast<size_t>(indent), ' ');
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Cell cell = cell_of(i);
      const bool last = i + 1 == columns_.size();
      std::string text = Truncate(cell.text, width[i], ellipsis);
      // Padding stays outside the colours, and no blanks end a line.
      const int blank = width[i] - DisplayWidth(text);
      const std::string padding(static_cast<size_t>(std::max(blank, 0)), ' ');
      text = Paint(style, cell.tone, text);
      if (columns_[i].right) {
        out += padding + text;
      } else {
        out += last ? text : text + padding;
      }
      if (!last) out.append(kGap, ' ');
    }
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
  };
  line([&](size_t i) { return Cell{columns_[i].title, Tone::kDim}; });
  for (const auto& row : rows_) {
    line([&](size_t i) { return i < row.size() ? row[i] : Cell{}; });
  }
  return out;
}

}  // namespace gpusight::exporting
