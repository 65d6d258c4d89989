// SPDX-License-Identifier: Apache-2.0
#include "export/csv.h"

#include "base/text.h"

namespace gpusight::exporting {

void AppendCsvCell(std::string& out, std::string_view cell) {
  std::string room;
  const std::string_view clean = Printable(cell, room);
  // A spreadsheet would run it as a formula.
  const bool formula =
      !clean.empty() && std::string_view("=+-@").find(clean.front()) != std::string_view::npos;
  if (clean.find_first_of("\",") == std::string_view::npos) {
    if (formula) out += '\'';
    out += clean;
    return;
  }
  out += '"';
  if (formula) out += '\'';
  for (const char c : clean) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace gpusight::exporting
