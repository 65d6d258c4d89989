// SPDX-License-Identifier: Apache-2.0
// A window onto a Canvas: panels draw in coordinates of their own and cannot write outside it.
// Next: chart.h and meter.h, what is drawn.
#pragma once

#include <string_view>

#include "base/text.h"
#include "tui/canvas.h"

namespace gpusight::tui {

// A view; the canvas must outlive it.
class Pane {
 public:
  Pane(Canvas& canvas, const Rect& area) : canvas_(&canvas), area_(area) {}

  int width() const { return area_.width; }
  int height() const { return area_.height; }
  const Rect& area() const { return area_; }
  Canvas& canvas() const { return *canvas_; }

  // Returns the column behind the text.
  int Put(int column, int row, std::string_view text, Style style = {}) const {
    return canvas_->Put(area_.x + column, area_.y + row, text, style, area_) - area_.x;
  }
  // So that the text ends before column `end`. Returns its first column.
  int PutRight(int end, int row, std::string_view text, Style style = {}) const {
    const int column = end - DisplayWidth(text);
    Put(column, row, text, style);
    return column;
  }
  void Fill(const Rect& part, char32_t c, Style style = {}) const {
    canvas_->Fill(Clip(Absolute(part), area_), c, style);
  }
  void Restyle(const Rect& part, Style style) const {
    canvas_->Restyle(Clip(Absolute(part), area_), style);
  }
  Pane Part(const Rect& part) const { return {*canvas_, Clip(Absolute(part), area_)}; }

 private:
  Rect Absolute(const Rect& part) const {
    return {area_.x + part.x, area_.y + part.y, part.width, part.height};
  }

  Canvas* canvas_;
  Rect area_;
};

}  // namespace gpusight::tui
