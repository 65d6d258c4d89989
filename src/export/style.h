// SPDX-License-Identifier: Apache-2.0
// How pages for people look: width, language, colours, and whether the terminal knows Unicode.
// Colour never says anything alone: what matters also has a mark or a word. Next: table.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/language.h"

namespace gpusight::exporting {

struct Style {
  int columns = 80;
  bool color = false;
  bool unicode = true;
  Language language = Language::kEnglish;
  bool cut_tables = true;  // to the columns; a pipe of unknown width gets its tables whole

  template <typename... Args>
  std::string Say(const Text& text, const Args&... args) const {
    return gpusight::Say(language, text, args...);
  }
};

// The signs of our texts in ASCII: "->", "...", "x". What is from outside, and Chinese, stays.
[[nodiscard]] std::string AsciiSigns(std::string_view text);

enum class Tone : uint8_t { kPlain, kTitle, kDim, kBar, kNote, kProblem };

// `text` in that tone; unchanged without colours.
[[nodiscard]] std::string Paint(const Style& style, Tone tone, std::string_view text);

// A meter of `cells` cells, `ratio` of it filled, to an eighth of a cell: "██▌   ".
[[nodiscard]] std::string Meter(const Style& style, double ratio, int cells);

// One part of a stacked bar, as a share of the whole.
struct Part {
  double share = 0;
  std::string_view fill;   // one cell, Unicode
  std::string_view ascii;  // one cell, without
};

// A bar of `cells` cells: the parts after one another, each at least one cell wide when it is
// above 0 and there is room, the rest as the last part.
[[nodiscard]] std::string StackedBar(const Style& style, std::span<const Part> parts, int cells);

// A chart one cell high of values from 0 to 1, one cell each: "▁▂▅█".
[[nodiscard]] std::string Sparkline(const Style& style, std::span<const double> values);

}  // namespace gpusight::exporting
