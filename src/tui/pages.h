// SPDX-License-Identifier: Apache-2.0
// Pages that take the whole screen and can be scrolled: help, everything about a process,
// everything about a device. A page is built as lines for a width and drawn from any line on.
// Next: page_process.cc, page_device.cc, page_help.cc.
#pragma once

#include <string>
#include <vector>

#include "tui/pane.h"
#include "tui/state.h"

namespace gpusight::tui {

struct PageSpan {
  std::string text;
  Style style;
};
using PageLine = std::vector<PageSpan>;

struct Page {
  std::string title;
  std::vector<PageLine> lines;
};

// Writes the lines of a page: sections, and labels with values that are wrapped to the width.
class PageWriter {
 public:
  PageWriter(Page& page, int width) : page_(page), width_(width) {}
  void Section(const std::string& title);
  // `label` in a column of `label_width` cells.
  void Entry(const std::string& label, int label_width, const std::string& value, Style style = {},
             Style label_style = Role::kMuted);
  void Text(const std::string& text, Style style = {});
  // Short entries, in as many columns as fit.
  struct Item {
    std::string label, value;
    Style style;
  };
  void Columns(const std::vector<Item>& items, int label_width);
  void Add(PageLine line) { page_.lines.push_back(std::move(line)); }
  int width() const { return width_; }

 private:
  Page& page_;
  int width_;
};

// Splits at blanks into pieces of at most `width` cells; words that are longer are cut.
[[nodiscard]] std::vector<std::string> Wrap(std::string_view text, int width);

// Empty unless state.mode is a page.
[[nodiscard]] Page PageOf(const State& state, int width);
[[nodiscard]] Page HelpPage(const State& state, int width);
[[nodiscard]] Page ProcessPage(const State& state, int width);
[[nodiscard]] Page DevicePage(const State& state, int width);

void DrawPage(const Pane& pane, const State& state);

}  // namespace gpusight::tui
