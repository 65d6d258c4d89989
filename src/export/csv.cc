// SPDX-License-Identifier: Apache-2.0
#include "export/csv.h"

#include "base/text.h"

namespace gpusight::exporting {

void AppendCsvCell(std::string& out, std::string_view cell) {
  const bool plain = IsPlain(cell);
  const std::string mended = plain ? std::string() : Printable(cell);
  const std::string_view clean = plain ? cell : mended;
  if (clean.find_first_of("\",") == std::string_view::npos) {
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
