// SPDX-License-Identifier: Apache-2.0
#include "export/markup.h"

#include "base/text.h"

namespace gpusight::exporting {
namespace {

// The entity that stands for the character; "" when none has to.
std::string_view Entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

}  // namespace

void AppendHtmlSafe(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (const auto entity = Entity(c); !entity.empty()) {
      out += entity;
    } else {
      out += c;
    }
  }
}

std::string MarkdownSafe(std::string_view text) {
  constexpr std::string_view kMarks = "|*_`[]\\#~!";
  std::string out;
  for (const char c : Printable(text)) {
    const auto entity = c == '"' ? std::string_view() : Entity(c);
    if (!entity.empty()) {
      out += entity;
      continue;
    }
    if (kMarks.find(c) < kMarks.size()) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace gpusight::exporting
