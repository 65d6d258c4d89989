// SPDX-License-Identifier: Apache-2.0
// Small tools on text: numbers, fields, and what is safe to print. All are pure and take any bytes.
// Next: units.h.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusight {

[[nodiscard]] std::string_view Trim(std::string_view text);

// Splits at every `separator`; "a,,b" gives three parts, "" gives one empty part.
[[nodiscard]] std::vector<std::string_view> Split(std::string_view text, char separator);

// Takes the next line (without its '\n') off the front of `rest`; nullopt when nothing is left.
[[nodiscard]] std::optional<std::string_view> NextLine(std::string_view& rest);

// Takes the next word (run of bytes other than space and tab) off the front of `rest`.
[[nodiscard]] std::optional<std::string_view> NextWord(std::string_view& rest);

// The whole of `text` as a number in the type's range; nullopt for anything else, also for an
// empty text, a sign that the type lacks, or trailing bytes.
template <typename T>
[[nodiscard]] std::optional<T> ParseNumber(std::string_view text, int base = 10) {
  T value{};
  const char* end = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<T>) {
    result = std::from_chars(text.data(), end, value);
  } else {
    result = std::from_chars(text.data(), end, value, base);
  }
  if (result.ec != std::errc{} || result.ptr != end || text.empty()) return std::nullopt;
  return value;
}

// Whether a code point steers a terminal or turns the text around it instead of showing something:
// C0 and C1 controls, line and paragraph separators, and the bidirectional controls, which can
// disguise a name.
[[nodiscard]] bool IsControl(char32_t c);

// Text from outside (a command line, a device name) made safe for a terminal and a log: controls
// and invalid UTF-8 become '?' or U+FFFD, so that no process can send escape sequences to the
// screen by its name.
[[nodiscard]] std::string Printable(std::string_view text);

// The same without a copy where nothing has to be replaced; else it is put into `room`, which must
// live as long as what is returned.
[[nodiscard]] std::string_view Printable(std::string_view text, std::string& room);

// Text from outside of which no more than `bytes` are kept, cut between two characters; what was
// cut ends in "… [cut]".
[[nodiscard]] std::string Capped(std::string_view text, size_t bytes = 4096);

// Whether Printable() would return it as it is because it is printable ASCII, as nearly all text
// is; saves the copy.
[[nodiscard]] bool IsPlain(std::string_view text);

// Terminal cells that UTF-8 `text` occupies: 2 for East Asian wide characters, 0 for combining
// ones.
[[nodiscard]] int DisplayWidth(std::string_view text);

// The longest prefix of at most `cells` cells, ending in "…" (or `ellipsis`) when it was cut.
[[nodiscard]] std::string Truncate(std::string_view text, int cells,
                                   std::string_view ellipsis = "…");

// `text` followed (or, for `right`, preceded) by spaces up to `cells` cells; never cut.
[[nodiscard]] std::string Pad(std::string_view text, int cells, bool right = false);

// The code point at the front of `text`, taken off it; U+FFFD for each invalid byte.
[[nodiscard]] char32_t NextCodePoint(std::string_view& text);

// Cells of one code point: 0, 1 or 2.
[[nodiscard]] int CodePointWidth(char32_t c);

}  // namespace gpusight
