// SPDX-License-Identifier: Apache-2.0
// A plain table for the terminal: columns as wide as their cells, East Asian wide characters
// counted as two. On a narrow page the columns that matter least are left out, so that something is
// left for the last one, which is cut to the line. Pure. Next: style.h.
#pragma once

#include <string>
#include <vector>

#include "export/style.h"

namespace gpusight::exporting {

struct Cell {
  std::string text;
  Tone tone = Tone::kPlain;
};

struct Column {
  std::string title;
  bool right = false;
  int most = 0;  // widest that it may become; 0: as wide as its cells
  int rank = 0;  // the highest is left out first when there is no room; 0: never
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // One cell per column; further ones are ignored, missing ones are empty.
  void Add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  // The title line and the rows, each indented by `indent` and ended by '\n'.
  [[nodiscard]] std::string Render(const Style& style, int indent) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace gpusight::exporting
