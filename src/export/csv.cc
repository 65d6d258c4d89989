// SPDX-License-Identifier: Apache-2.0
#include "export/csv.h"

#include "base/text.h"

namespace gpusight::exporting {

void AppendCsvCell(std::string& out, std::string_view cell) {
  const std::string clean = Printable(cell);
  if (clean.find_first_of("\",") == std::string::npos) {
    out += clean;
    return;
  }
  out += '"';
  for (const char c : clean) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace gpusight::exporting
