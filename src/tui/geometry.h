// SPDX-License-Identifier: Apache-2.0
// Sizes and rectangles on the screen, in cells. Columns grow to the right, rows downwards, both
// from 0. Next: canvas.h.
#pragma once

#include <algorithm>

namespace gpusight::tui {

struct Size {
  int width = 0;
  int height = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

struct Rect {
  int x = 0, y = 0;
  int width = 0, height = 0;

  bool empty() const { return width <= 0 || height <= 0; }
  int right() const { return x + width; }    // first column behind it
  int bottom() const { return y + height; }  // first row below it
  bool Contains(int column, int row) const {
    return column >= x && column < right() && row >= y && row < bottom();
  }
  friend bool operator==(const Rect&, const Rect&) = default;
};

inline bool Overlap(const Rect& a, const Rect& b) {
  return !a.empty() && !b.empty() && a.x < b.right() && b.x < a.right() && a.y < b.bottom() &&
         b.y < a.bottom();
}

// The part of `inner` that lies within `outer`; empty when there is none.
inline Rect Clip(const Rect& inner, const Rect& outer) {
  const int x = std::max(inner.x, outer.x), y = std::max(inner.y, outer.y);
  return {x, y, std::max(0, std::min(inner.right(), outer.right()) - x),
          std::max(0, std::min(inner.bottom(), outer.bottom()) - y)};
}

// `size` in the middle of `area`, shrunk to it.
inline Rect Centred(const Rect& area, Size size) {
  const int width = std::min(size.width, area.width), height = std::min(size.height, area.height);
  return {area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height};
}

}  // namespace gpusight::tui
