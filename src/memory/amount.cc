// SPDX-License-Identifier: Apache-2.0
#include "memory/amount.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace gpusight::memory {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

void SkipBlanks(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
}

// The factor of a unit, and its length; 0 when no unit stands there.
struct Unit {
  double factor = 0;
  size_t length = 0;
};

Unit UnitAt(std::string_view text) {
  constexpr std::string_view kScale = "KMGTPE";
  size_t letters = 0;
  while (letters < text.size() && IsLetter(text[letters])) ++letters;
  const std::string_view word = text.substr(0, letters);
  if (word == "bytes" || word == "byte" || word == "B") return {1, word.size()};
  if (word.empty()) return {};
  const char head = static_cast<char>(word.front() & ~0x20);  // upper case
  const size_t power = kScale.find(head);
  if (power == std::string_view::npos) return {};
  const std::string_view rest = word.substr(1);
  if (rest != "" && rest != "B" && rest != "iB") return {};
  // A letter alone: "23.68G", but not "1e5".
  if (rest.empty() && word != "k" && word.front() != head) return {};
  return {std::ldexp(1.0, 10 * static_cast<int>(power + 1)), word.size()};
}

}  // namespace

bool MayEqual(const Amount& a, const Amount& b) {
  return std::abs(a.bytes - b.bytes) <= a.error + b.error;
}

std::optional<Amount> TakeAmount(std::string_view& text, bool bare) {
  std::string_view rest = text;
  SkipBlanks(rest);
  constexpr size_t kMostDigits = 40;
  std::string number;
  int decimals = -1;  // digits after the point, -1 before one was seen
  size_t used = 0;
  for (; used < rest.size() && number.size() < kMostDigits; ++used) {
    const char c = rest[used];
    const bool digit_follows = used + 1 < rest.size() && IsDigit(rest[used + 1]);
    if (IsDigit(c)) {
      number += c;
      if (decimals >= 0) ++decimals;
    } else if (c == '.' && decimals < 0 && !number.empty() && digit_follows) {
      number += c;
      decimals = 0;
    } else if (c == ',' && decimals < 0 && !number.empty() && digit_follows) {
      continue;  // 1,024
    } else {
      break;
    }
  }
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc{} || end != number.data() + number.size()) return std::nullopt;
  rest.remove_prefix(used);
  std::string_view behind = rest;
  SkipBlanks(behind);
  const Unit unit = UnitAt(behind);
  if (unit.factor > 0) {
    behind.remove_prefix(unit.length);
    text = behind;
    const double step = std::pow(10.0, -std::max(decimals, 0));
    return Amount{value * unit.factor, unit.factor == 1 ? 0 : unit.factor * step / 2};
  }
  if (!bare || decimals >= 0) return std::nullopt;
  text = rest;
  return Amount{value, 0};
}

std::optional<uint64_t> TakeWhole(std::string_view& text) {
  std::string_view rest = text;
  SkipBlanks(rest);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc{}) return std::nullopt;
  rest.remove_prefix(static_cast<size_t>(end - rest.data()));
  text = rest;
  return value;
}

}  // namespace gpusight::memory
