// SPDX-License-Identifier: Apache-2.0
#include "cli/config_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/text.h"
#include "model/text/config.h"

namespace gpusight::cli {
namespace {

// No key of ours has more than one dot; the parser recurses once for each.
constexpr int kMostDots = 100;

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

bool IsAscii(char c) { return static_cast<unsigned char>(c) < 0x80; }

bool IsBare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// Inline tables are not among it: no option takes one.
bool IsKnown(char c) {
  return IsBare(c) || IsBlank(c) || std::string_view("=.,:+[]").find(c) != std::string_view::npos;
}

// Behind the string that begins at `at` with a quote; npos if its line or the text cuts it, or if
// it is one of several lines, which no option needs.
size_t SkipString(std::string_view text, size_t at) {
  const char quote = text[at];
  if (text.substr(at, 3) == std::string(3, quote)) return std::string_view::npos;
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == quote) return at + 1;
    if (text[at] == '\\' && quote == '"') ++at;
  }
  return std::string_view::npos;
}

// Where the text stops being UTF-8; its size if nowhere.
size_t BadUtf8(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view before = rest;
    if (NextCodePoint(rest) == 0xFFFD && !before.starts_with("\xEF\xBF\xBD"))
      return text.size() - before.size();
  }
  return text.size();
}

// Whether the bracket at `at`, the first of its line, begins a section without a name.
bool IsNameless(std::string_view text, size_t at) {
  at += text.substr(at).starts_with("[[") ? 2 : 1;
  while (at < text.size() && IsBlank(text[at])) ++at;
  return at == text.size() || !(IsBare(text[at]) || text[at] == '"' || text[at] == '\'');
}

}  // namespace

std::optional<Unfit> FirstUnfit(std::string_view text) {
  const auto unfit = [&](size_t at, const Text& what) {
    const std::string_view before = text.substr(0, at);
    const auto line = static_cast<size_t>(std::count(before.begin(), before.end(), '\n') + 1);
    return Unfit{{line, at - (before.rfind('\n') + 1) + 1}, what};
  };
  if (const size_t at = BadUtf8(text); at != text.size()) return unfit(at, text::kConfigNoUtf8);
  int dots = 0;
  bool line_is_blank = true;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '[' && line_is_blank && IsNameless(text, at))
      return unfit(at, text::kConfigNamelessSection);
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    line_is_blank = c == '\n' || (line_is_blank && IsBlank(c));
    if (c == '"' || c == '\'') {
      const size_t end = SkipString(text, at);
      if (end == std::string_view::npos) return unfit(at, text::kConfigOpenString);
      at = end;
      continue;
    }
    dots = c == '\n' ? 0 : c == '.' ? dots + 1 : dots;
    if (dots > kMostDots) return unfit(at, text::kConfigTooDeep);
    const bool ends_line = c == '\n' || text.substr(at).starts_with("\r\n");
    if (!ends_line && !IsKnown(c)) return unfit(at, text::kConfigStrangeByte);
    ++at;
  }
  return std::nullopt;
}

std::string AsciiOf(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (IsAscii(c) && c != '%') {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string OfAscii(std::string_view ascii) {
  std::string out;
  for (size_t at = 0; at < ascii.size(); ++at) {
    if (ascii[at] == '%') {
      int byte = 0;
      std::from_chars(ascii.data() + at + 1, ascii.data() + std::min(at + 3, ascii.size()), byte,
                      16);
      out += static_cast<char>(byte);
      at += 2;
    } else {
      out += ascii[at];
    }
  }
  return out;
}

}  // namespace gpusight::cli
