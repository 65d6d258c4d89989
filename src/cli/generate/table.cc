// SPDX-License-Identifier: Apache-2.0
#include "cli/generate/table.h"

#include <fmt/format.h>

namespace gpusight::cli {

std::string TableCell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<') out += '\\';
    out += c;
  }
  return out;
}

std::string TableHeader(Language language, std::initializer_list<Text> titles) {
  std::string first = "|", second = "|";
  for (const Text& title : titles) {
    first += fmt::format(" {} |", Say(language, title));
    second += " --- |";
  }
  return first + '\n' + second + '\n';
}

}  // namespace gpusight::cli
