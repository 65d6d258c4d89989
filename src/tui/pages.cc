// SPDX-License-Identifier: Apache-2.0
#include "tui/pages.h"

#include <algorithm>

#include "tui/glyphs.h"

namespace gpusight::tui {

void PageWriter::Section(const std::string& title) {
  if (!page_.lines.empty()) page_.lines.emplace_back();
  page_.lines.push_back({{title, Style(Role::kTitle, kUnderline)}});
}

void PageWriter::Entry(const std::string& label, int label_width, const std::string& value,
                       Style style, Style label_style) {
  // On a narrow screen the value goes below its label.
  const bool below = label_width + 12 > width_;
  const int indent = below ? 2 : label_width + 2;
  const auto pieces = Wrap(value, std::max(1, width_ - indent));
  if (below) page_.lines.push_back({{label, label_style}});
  for (size_t i = 0; i < std::max<size_t>(pieces.size(), below ? 0 : 1); ++i) {
    PageLine line;
    const std::string front = i == 0 && !below ? label : std::string();
    line.push_back({Pad(front, indent), label_style});
    if (i < pieces.size()) line.push_back({pieces[i], style});
    page_.lines.push_back(std::move(line));
  }
}

void PageWriter::Text(const std::string& text, Style style) {
  for (std::string& piece : Wrap(text, std::max(1, width_))) {
    page_.lines.push_back({{std::move(piece), style}});
  }
}

void PageWriter::Columns(const std::vector<Item>& items, int label_width) {
  constexpr int kValueLeast = 14, kGap = 2;
  int value_width = kValueLeast;
  for (const Item& item : items) value_width = std::max(value_width, DisplayWidth(item.value));
  const int cell = label_width + kGap + value_width + kGap;
  const int columns = width_ / cell;
  if (columns < 2) {
    for (const Item& item : items) Entry(item.label, label_width, item.value, item.style);
    return;
  }
  const size_t lines =
      (items.size() + static_cast<size_t>(columns) - 1) / static_cast<size_t>(columns);
  for (size_t line = 0; line < lines; ++line) {
    PageLine spans;
    for (size_t i = line; i < items.size(); i += lines) {
      spans.push_back({Pad(items[i].label, label_width + kGap), Role::kMuted});
      spans.push_back({Pad(items[i].value, value_width + kGap), items[i].style});
    }
    page_.lines.push_back(std::move(spans));
  }
}

std::vector<std::string> Wrap(std::string_view text, int width) {
  std::vector<std::string> pieces;
  std::string piece;
  int used = 0;
  const auto flush = [&] {
    pieces.push_back(std::move(piece));
    piece.clear();
    used = 0;
  };
  while (!text.empty()) {
    // The next word with the blanks before it.
    const size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view blanks = text.substr(0, begin);
    std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    if (word.empty()) break;
    if (used > 0) {
      const int needed = static_cast<int>(blanks.size()) + DisplayWidth(word);
      if (used + needed <= width) {
        piece += blanks;
        piece += word;
        used += needed;
        continue;
      }
      // Text without blanks (Chinese, a path) goes on in this line rather than leave it empty.
      if (DisplayWidth(word) <= width) {
        flush();
      } else if (used + static_cast<int>(blanks.size()) < width) {
        piece += blanks;
        used += static_cast<int>(blanks.size());
      } else {
        flush();
      }
    }
    while (!word.empty()) {
      std::string_view rest = word;
      const int cells = CodePointWidth(NextCodePoint(rest));
      if (used > 0 && used + cells > width) flush();
      piece += word.substr(0, word.size() - rest.size());
      used += cells;
      word = rest;
    }
  }
  if (!piece.empty()) flush();
  return pieces;
}

Page PageOf(const State& state, int width) {
  switch (state.mode) {
    case Mode::kHelp:
      return HelpPage(state, width);
    case Mode::kProcess:
      return ProcessPage(state, width);
    case Mode::kDevice:
      return DevicePage(state, width);
    default:
      return {};
  }
}

void DrawPage(const Pane& pane, const State& state) {
  const Page page = PageOf(state, pane.width());
  const int count = static_cast<int>(page.lines.size());
  const int first = std::clamp(state.scroll, 0, std::max(0, count - pane.height()));
  for (int row = 0; row < pane.height() && first + row < count; ++row) {
    int column = 0;
    for (const PageSpan& span : page.lines[static_cast<size_t>(first + row)]) {
      column = pane.Put(column, row, span.text, span.style);
    }
  }
  // Where in the page we are, at the right edge.
  if (count > pane.height() && pane.height() > 0) {
    const int at = first * (pane.height() - 1) / std::max(1, count - pane.height());
    pane.Fill({pane.width() - 1, at, 1, 1}, state.settings.ascii ? U'#' : U'█', Role::kMuted);
  }
}

}  // namespace gpusight::tui
