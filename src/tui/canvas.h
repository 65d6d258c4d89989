// SPDX-License-Identifier: Apache-2.0
// A grid of cells: what a screen shows, without a terminal. Panels write into it, Changes() tells
// which cells differ between two of them, and the terminal driver sends only those. A cell holds
// one character with its combining marks; a wide character (Chinese) fills its cell and the next.
// Next: pane.h, through which panels write.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tui/geometry.h"
#include "tui/style.h"

namespace gpusight::tui {

struct Cell {
  std::array<char32_t, 3> points = {U' ', 0, 0};  // the character, then combining marks or 0
  uint8_t width = 1;                              // 1 or 2; 0: the right half of the one before
  Style style;
  friend bool operator==(const Cell&, const Cell&) = default;
};

class Canvas {
 public:
  Canvas() = default;
  explicit Canvas(Size size);

  Size size() const { return size_; }
  Rect bounds() const { return {0, 0, size_.width, size_.height}; }
  const Cell& at(int column, int row) const { return cells_[Index(column, row)]; }

  // Writes UTF-8 `text` in one row from `column` on, inside `clip` only; what would stick out is
  // left away, a wide character at the edge becomes a blank. Returns the column behind the text.
  int Put(int column, int row, std::string_view text, Style style, const Rect& clip);

  void Fill(const Rect& area, char32_t c, Style style);

  // Gives the cells another style, leaves their text.
  void Restyle(const Rect& area, Style style);

  // The cell's character as UTF-8; empty for the right half of a wide one.
  std::string TextAt(int column, int row) const;

  // All rows as UTF-8 lines, blanks at their ends cut off.
  std::string ToText() const;

 private:
  size_t Index(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(size_.width) +
           static_cast<size_t>(column);
  }
  void Set(int column, int row, char32_t c, int width, Style style);

  Size size_;
  std::vector<Cell> cells_;
};

// `length` cells of one row from `column` on.
struct CellRun {
  int column = 0, row = 0, length = 0;
  friend bool operator==(const CellRun&, const CellRun&) = default;
};

// Where `after` differs from `before`; everything when the sizes differ. Runs never begin in the
// middle of a wide character.
[[nodiscard]] std::vector<CellRun> Changes(const Canvas& before, const Canvas& after);

// One code point as UTF-8, appended.
void AppendUtf8(std::string& out, char32_t c);

}  // namespace gpusight::tui
