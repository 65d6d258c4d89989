// SPDX-License-Identifier: Apache-2.0
// The characters that are drawn with, for terminals with Unicode and for those without.
#pragma once

#include <array>
#include <string_view>

namespace gpusight::tui {

struct Glyphs {
  bool ascii = false;
  std::string_view missing;                 // a value that is not known
  std::string_view ellipsis;                // of a text that was cut
  std::string_view rule;                    // horizontal line
  std::string_view wall;                    // vertical line
  std::array<std::string_view, 4> corners;  // top left, top right, bottom left, bottom right
  std::string_view up, down, into, outof;   // sort order; traffic towards and from the device
  std::string_view degree;
  std::string_view branch, last_branch, trunk;  // of the process tree, two cells each
  // Parts of the memory bar: processes, residual, driver-reserved, free.
  std::array<std::string_view, 4> bar;
  std::string_view bullet;
};

inline constexpr Glyphs kUnicodeGlyphs{
    false, "–",  "…",  "─",  "│",  {"╭", "╮", "╰", "╯"}, "▲", "▼", "↓",
    "↑",   "°C", "├ ", "└ ", "│ ", {"█", "▓", "▒", "·"}, "•"};
inline constexpr Glyphs kAsciiGlyphs{
    true,   "-", "~",  "-",  "|",  {"+", "+", "+", "+"}, "^", "v", "in ",
    "out ", "C", "|-", "`-", "| ", {"#", "%", "=", "."}, "*"};

inline const Glyphs& GlyphsFor(bool ascii) { return ascii ? kAsciiGlyphs : kUnicodeGlyphs; }

}  // namespace gpusight::tui
