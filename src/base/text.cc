// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <algorithm>
#include <array>

namespace gpusight {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\f\v";
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::string_view> NextLine(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  const size_t at = rest.find('\n');
  const std::string_view line = rest.substr(0, at);
  rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
  return line;
}

// By hand: find_first_of() calls memchr() for every byte, and the files of /proc are read by the
// thousand.
std::optional<std::string_view> NextWord(std::string_view& rest) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  size_t begin = 0;
  while (begin < rest.size() && blank(rest[begin])) ++begin;
  size_t end = begin;
  while (end < rest.size() && !blank(rest[end])) ++end;
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  if (word.empty()) return std::nullopt;
  return word;
}

char32_t NextCodePoint(std::string_view& text) {
  constexpr char32_t kInvalid = 0xFFFD;
  if (text.empty()) return kInvalid;
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  size_t length = 1;
  char32_t value = first;
  if (first >= 0xF0 && first < 0xF5) {
    length = 4;
    value = first & 0x07;
  } else if (first >= 0xE0 && first < 0xF0) {
    length = 3;
    value = first & 0x0F;
  } else if (first >= 0xC2 && first < 0xE0) {
    length = 2;
    value = first & 0x1F;
  } else if (first >= 0x80) {
    text.remove_prefix(1);
    return kInvalid;
  }
  if (length > text.size()) {
    text.remove_prefix(1);
    return kInvalid;
  }
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      text.remove_prefix(1);
      return kInvalid;
    }
    value = (value << 6) | (byte(i) & 0x3F);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
    text.remove_prefix(1);
    return kInvalid;
  }
  text.remove_prefix(length);
  return value;
}

int CodePointWidth(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  // Combining marks and format characters (Unicode general categories Mn, Me, Cf) that occur in
  // practice, then the East Asian Width classes W and F.
  static constexpr Range kZero[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},
                                    {0x0610, 0x061A}, {0x064B, 0x065F}, {0x200B, 0x200F},
                                    {0x202A, 0x202E}, {0x2060, 0x2064}, {0x20D0, 0x20F0},
                                    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};
  static constexpr Range kWide[] = {
      {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},  {0x23E9, 0x23EC},
      {0x2614, 0x2615},   {0x26A1, 0x26A1},   {0x2705, 0x2705},  {0x274C, 0x274C},
      {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},  {0x4E00, 0x9FFF},
      {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},
      {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
      {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  const auto within = [c](const Range& r) { return c >= r.first && c <= r.last; };
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return 0;
  if (c < 0x300) return 1;
  if (std::any_of(std::begin(kZero), std::end(kZero), within)) return 0;
  return std::any_of(std::begin(kWide), std::end(kWide), within) ? 2 : 1;
}

bool IsControl(char32_t c) {
  if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return true;
  if (c < 0x61C) return false;
  // What shows nothing at all lets two names look the same, and terminals differ on its width.
  const bool invisible =
      c == 0x200B || c == 0x200C || c == 0x200D || c == 0xFEFF || (c >= 0x2060 && c <= 0x2064);
  return invisible || c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = NextCodePoint(text);
    const std::string_view bytes = before.substr(0, before.size() - text.size());
    if (IsControl(c)) {
      out += c == '\t' || c == '\n' ? ' ' : '?';
    } else if (c == 0xFFFD) {
      out += "\xEF\xBF\xBD";
    } else {
      out += bytes;
    }
  }
  return out;
}

std::string_view Printable(std::string_view text, std::string& room) {
  if (IsPlain(text)) return text;
  room = Printable(text);
  return room;
}

std::string Capped(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  const auto continues = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  size_t end = bytes;
  for (int back = 0; back < 3 && end > 0 && continues(end); ++back) --end;
  return std::string(text.substr(0, end)) + "… [cut]";
}

bool IsPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

int DisplayWidth(std::string_view text) {
  int cells = 0;
  while (!text.empty()) cells += CodePointWidth(NextCodePoint(text));
  return cells;
}

std::string Truncate(std::string_view text, int cells, std::string_view ellipsis) {
  if (DisplayWidth(text) <= cells) return std::string(text);
  const int room = cells - DisplayWidth(ellipsis);
  if (room < 0) return {};
  int used = 0;
  std::string_view rest = text;
  for (;;) {
    std::string_view next = rest;
    used += CodePointWidth(NextCodePoint(next));
    if (used > room) break;
    rest = next;
  }
  std::string out(text.substr(0, text.size() - rest.size()));
  out += ellipsis;
  return out;
}

std::string Pad(std::string_view text, int cells, bool right) {
  const int missing = cells - DisplayWidth(text);
  const std::string blank(static_cast<size_t>(std::max(missing, 0)), ' ');
  return right ? blank + std::string(text) : std::string(text) + blank;
}

}  // namespace gpusight
