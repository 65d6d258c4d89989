// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/number_prefix.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/text.h"

namespace gpusight::doctor {
namespace {

template <typename T>
NumberPrefix Read(std::string_view text, size_t sign) {
  T value{};
  const auto [end, error] = std::from_chars(text.data() + sign, text.data() + text.size(), value);
  if (error != std::errc{}) return {};
  return {.value = static_cast<double>(value), .length = static_cast<size_t>(end - text.data())};
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Without the underscores between digits; nothing when one stands elsewhere.
std::optional<std::string> WithoutUnderscores(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
    } else if (i == 0 || i + 1 == text.size() || !IsDigit(text[i - 1]) || !IsDigit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return out;
}

template <typename Prefix>
std::optional<double> ReadAll(std::string_view text, const Prefix& prefix) {
  const auto word = WithoutUnderscores(Trim(text));
  if (!word || word->find('(') != std::string::npos) return std::nullopt;  // C++ knows "nan(1)"
  const NumberPrefix number = prefix(*word);
  if (number.length == 0 || number.length < word->size()) return std::nullopt;
  return number.negative && number.value > 0 ? -number.value : number.value;
}

}  // namespace

NumberPrefix WholePrefix(std::string_view text) {
  const bool negative = text.starts_with('-');
  NumberPrefix out = Read<uint64_t>(text, negative || text.starts_with('+') ? 1 : 0);
  out.negative = negative && out.length > 0 && out.value > 0;
  return out;
}

std::optional<double> PythonInt(std::string_view text) {
  return ReadAll(text, [](std::string_view word) { return WholePrefix(word); });
}

std::optional<double> PythonFloat(std::string_view text) {
  return ReadAll(text, [](std::string_view word) { return RealPrefix(word); });
}

NumberPrefix RealPrefix(std::string_view text) {
  NumberPrefix out = Read<double>(text, text.starts_with('+') ? 1 : 0);
  out.negative = out.value < 0;
  return out;
}

}  // namespace gpusight::doctor
