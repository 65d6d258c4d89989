// SPDX-License-Identifier: Apache-2.0
#include "tui/canvas.h"

#include "base/text.h"

namespace gpusight::tui {

Canvas::Canvas(Size size)
    : size_{std::max(0, size.width), std::max(0, size.height)},
      cells_(static_cast<size_t>(size_.width) * static_cast<size_t>(size_.height)) {}

void Canvas::Set(int column, int row, char32_t c, int width, Style style) {
  // Half of a wide character cannot stay: whatever is cut becomes a blank.
  const auto blank = [&](int at) {
    Cell& cell = cells_[Index(at, row)];
    cell = Cell{{U' ', 0, 0}, 1, cell.style};
  };
  if (at(column, row).width == 0) blank(column - 1);
  const int last = column + width - 1;
  if (last + 1 < size_.width && at(last + 1, row).width == 0) blank(last + 1);
  cells_[Index(column, row)] = Cell{{c, 0, 0}, static_cast<uint8_t>(width), style};
  if (width == 2) cells_[Index(last, row)] = Cell{{0, 0, 0}, 0, style};
}

int Canvas::Put(int column, int row, std::string_view text, Style style, const Rect& clip) {
  const Rect area = Clip(clip, bounds());
  const bool visible = row >= area.y && row < area.bottom();
  int last = -1;  // the cell that a combining mark belongs to
  while (!text.empty()) {
    const char32_t c = NextCodePoint(text);
    const int width = CodePointWidth(c);
    if (width == 0) {
      if (last < 0 || c < 0x20) continue;
      Cell& cell = cells_[Index(last, row)];
      if (cell.points[1] == 0) {
        cell.points[1] = c;
      } else if (cell.points[2] == 0) {
        cell.points[2] = c;
      }
      continue;
    }
    last = -1;
    const bool begins = column >= area.x && column < area.right();
    const bool ends = column + width - 1 >= area.x && column + width - 1 < area.right();
    if (visible && begins && ends) {
      Set(column, row, c, width, style);
      last = column;
    } else if (visible && begins) {
      Set(column, row, U' ', 1, style);
    } else if (visible && ends) {
      Set(column + width - 1, row, U' ', 1, style);
    }
    column += width;
  }
  return column;
}

void Canvas::Fill(const Rect& area, char32_t c, Style style) {
  const Rect inside = Clip(area, bounds());
  for (int row = inside.y; row < inside.bottom(); ++row) {
    for (int column = inside.x; column < inside.right(); ++column) Set(column, row, c, 1, style);
  }
}

void Canvas::Restyle(const Rect& area, Style style) {
  const Rect inside = Clip(area, bounds());
  for (int row = inside.y; row < inside.bottom(); ++row) {
    for (int column = inside.x; column < inside.right(); ++column) {
      cells_[Index(column, row)].style = style;
    }
  }
}

std::string Canvas::TextAt(int column, int row) const {
  std::string out;
  for (const char32_t c : at(column, row).points) {
    if (c != 0) AppendUtf8(out, c);
  }
  return out;
}

std::string Canvas::ToText() const {
  std::string out;
  for (int row = 0; row < size_.height; ++row) {
    std::string line;
    for (int column = 0; column < size_.width; ++column) line += TextAt(column, row);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line;
    out += '\n';
  }
  return out;
}

std::vector<CellRun> Changes(const Canvas& before, const Canvas& after) {
  std::vector<CellRun> runs;
  const auto [width, height] = after.size();
  const bool all = before.size() != after.size();
  for (int row = 0; row < height; ++row) {
    int begin = -1;
    for (int column = 0; column < width; ++column) {
      const bool differs = all || before.at(column, row) != after.at(column, row);
      if (differs && begin < 0) begin = after.at(column, row).width == 0 ? column - 1 : column;
      if (!differs && begin >= 0 && after.at(column, row).width != 0) {
        runs.push_back({begin, row, column - begin});
        begin = -1;
      }
    }
    if (begin >= 0) runs.push_back({begin, row, width - begin});
  }
  return runs;
}

void AppendUtf8(std::string& out, char32_t c) {
  const auto add = [&](uint32_t byte) { out += static_cast<char>(static_cast<uint8_t>(byte)); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xC0 | (c >> 6));
    add(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    add(0xE0 | (c >> 12));
    add(0x80 | ((c >> 6) & 0x3F));
    add(0x80 | (c & 0x3F));
  } else {
    add(0xF0 | (c >> 18));
    add(0x80 | ((c >> 12) & 0x3F));
    add(0x80 | ((c >> 6) & 0x3F));
    add(0x80 | (c & 0x3F));
  }
}

}  // namespace gpusight::tui
