// SPDX-License-Identifier: Apache-2.0
// A line of several parts that must fit any width: parts are left away, the least important first,
// until the rest fits. Next: panel.h.
#pragma once

#include <string>
#include <vector>

#include "tui/pane.h"

namespace gpusight::tui {

class Line {
 public:
  // `rank` 0 is never left away (but cut at the edge); the highest rank goes first. Parts that
  // share a rank go together. A `gap` of blanks stands before the part unless it is the first.
  Line& Add(std::string text, Style style = {}, int rank = 0, int gap = 1);
  // The parts from here on stand at the right end.
  Line& Right();

  // Of all parts, with nothing between the left and the right ones.
  int Width() const;

  // Draws into the pane's row; `filler` is repeated between the left and the right parts.
  void Draw(const Pane& pane, int row, std::string_view filler = {}) const;

 private:
  struct Part {
    std::string text;
    Style style;
    int rank = 0, gap = 1;
    bool right = false;
  };
  int WidthUpTo(int rank) const;

  std::vector<Part> parts_;
  bool right_ = false;
};

}  // namespace gpusight::tui
