// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/wrap.h"

#include <algorithm>

#include "base/text.h"

namespace gpusight::doctor {
namespace {

// Punctuation that no Chinese line begins with.
bool ClosesBefore(char32_t c) {
  constexpr std::u32string_view kClosing = U"，。、；：！？）】》”’";
  return kClosing.find(c) != std::u32string_view::npos;
}

// A piece that is never broken, and whether a space stood before it.
struct Piece {
  std::string text;
  bool spaced = false;
};

std::vector<Piece> Pieces(std::string_view text) {
  std::vector<Piece> pieces;
  bool spaced = false;
  bool open = false;  // the last piece goes on with the next narrow character
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = NextCodePoint(text);
    const std::string_view bytes = before.substr(0, before.size() - text.size());
    if (c == U' ') {
      spaced = true;
      open = false;
      continue;
    }
    const bool wide = CodePointWidth(c) == 2;
    const bool glued = !pieces.empty() && !spaced && (ClosesBefore(c) || (!wide && open));
    if (glued) {
      pieces.back().text += bytes;
    } else {
      pieces.push_back({std::string(bytes), spaced});
    }
    open = !wide;
    spaced = false;
  }
  return pieces;
}

}  // namespace

std::vector<std::string> Wrap(std::string_view text, int cells) {
  std::vector<std::string> lines(1);
  int used = 0;
  for (const Piece& piece : Pieces(text)) {
    const int width = DisplayWidth(piece.text);
    const int space = piece.spaced && used > 0 ? 1 : 0;
    if (used > 0 && used + space + width > cells) {
      lines.emplace_back();
      used = 0;
    } else if (space > 0) {
      lines.back() += ' ';
      ++used;
    }
    lines.back() += piece.text;
    used += width;
  }
  return lines;
}

}  // namespace gpusight::doctor
