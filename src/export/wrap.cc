// SPDX-License-Identifier: Apache-2.0
#include "export/wrap.h"

#include <algorithm>

#include "base/text.h"

namespace gpusight::exporting {
namespace {

bool Wide(char32_t c) { return CodePointWidth(c) == 2; }

// Punctuation that must not begin a line.
bool Closes(char32_t c) {
  constexpr std::u32string_view kClosing = U"，。；：、？！）”’》】";
  return kClosing.find(c) != std::u32string_view::npos;
}
// Punctuation that must not end one.
bool Opens(char32_t c) {
  constexpr std::u32string_view kOpening = U"（“‘《【";
  return kOpening.find(c) != std::u32string_view::npos;
}

// Takes the next piece that may not be broken off the front of `text`, with the blanks after it.
std::string_view NextPiece(std::string_view& text) {
  const std::string_view whole = text;
  char32_t before = NextCodePoint(text);
  while (!text.empty()) {
    std::string_view rest = text;
    const char32_t c = NextCodePoint(rest);
    const bool blank_ends = before == U' ' && c != U' ';
    const bool wide_ends = (Wide(before) || Wide(c)) && c != U' ' && !Closes(c) && !Opens(before);
    if (blank_ends || wide_ends) break;
    before = c;
    text = rest;
  }
  return whole.substr(0, whole.size() - text.size());
}

}  // namespace

std::string Wrap(std::string_view text, int columns, int indent) {
  std::string out;
  int used = indent;
  bool first = true;
  while (!text.empty()) {
    const std::string_view piece = NextPiece(text);
    if (!first && used + DisplayWidth(Trim(piece)) > columns) {
      while (out.ends_with(' ')) out.pop_back();
      out += '\n';
      out.append(static_cast<size_t>(std::max(indent, 0)), ' ');
      used = indent;
    }
    first = false;
    out += piece;
    used += DisplayWidth(piece);
  }
  return out;
}

std::vector<std::string> FillLines(std::span<const std::string> pieces, int room, int gap) {
  std::vector<std::string> lines;
  for (const std::string& piece : pieces) {
    if (lines.empty() || DisplayWidth(lines.back()) + gap + DisplayWidth(piece) > room) {
      lines.push_back(piece);
    } else {
      lines.back().append(static_cast<size_t>(gap), ' ') += piece;
    }
  }
  return lines;
}

}  // namespace gpusight::exporting
