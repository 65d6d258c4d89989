// SPDX-License-Identifier: Apache-2.0
#include "export/table.h"

#include <algorithm>

#include "base/text.h"

namespace gpusight::exporting {

namespace {

constexpr int kGap = 2;
constexpr int kLeastLast = 12;  // cells of the last column, if its cells are that wide

// Which columns are shown in that many cells, the last one's natural width included.
std::vector<bool> Choose(const std::vector<Column>& columns, const std::vector<int>& width,
                         int cells) {
  std::vector<bool> shown(columns.size(), true);
  while (true) {
    int needed = std::min(width.back(), kLeastLast);
    size_t worst = 0;
    for (size_t i = 0; i + 1 < columns.size(); ++i) {
      if (!shown[i]) continue;
      needed += width[i] + kGap;
      if (columns[i].rank > (shown[worst] ? columns[worst].rank : 0)) worst = i;
    }
    if (needed <= cells || !shown[worst] || columns[worst].rank == 0) return shown;
    shown[worst] = false;
  }
}

}  // namespace

std::string Table::Render(const Style& style, int indent) const {
  const std::string_view ellipsis = style.unicode ? "…" : "~";
  if (columns_.empty()) return {};
  std::vector<int> width;
  for (const Column& column : columns_) width.push_back(DisplayWidth(column.title));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size() && i < width.size(); ++i) {
      width[i] = std::max(width[i], DisplayWidth(row[i].text));
      if (columns_[i].most > 0 && style.cut_tables) {
        width[i] = std::min(width[i], std::max(columns_[i].most, DisplayWidth(columns_[i].title)));
      }
    }
  }
  std::vector<bool> shown(columns_.size(), true);
  if (style.cut_tables) {
    shown = Choose(columns_, width, style.columns - indent);
    int before = indent;
    for (size_t i = 0; i + 1 < width.size(); ++i) before += shown[i] ? width[i] + kGap : 0;
    const int left = std::max(style.columns - before, DisplayWidth(columns_.back().title));
    width.back() = std::min(width.back(), left);
  }

  std::string out;
  const auto line = [&](const auto& cell_of) {
    out.append(static_cast<size_t>(indent), ' ');
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (!shown[i]) continue;
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
