// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/number_prefix.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace gpusight::doctor {
namespace {

template <typename T>
NumberPrefix Read(std::string_view text, size_t sign) {
  T value{};
  const auto [end, error] = std::from_chars(text.data() + sign, text.data() + text.size(), value);
  if (error != std::errc{}) return {};
  return {.value = static_cast<double>(value), .length = static_cast<size_t>(end - text.data())};
}

}  // namespace

NumberPrefix WholePrefix(std::string_view text) {
  const bool negative = text.starts_with('-');
  NumberPrefix out = Read<uint64_t>(text, negative || text.starts_with('+') ? 1 : 0);
  out.negative = negative && out.length > 0 && out.value > 0;
  return out;
}

NumberPrefix RealPrefix(std::string_view text) {
  NumberPrefix out = Read<double>(text, text.starts_with('+') ? 1 : 0);
  out.negative = out.value < 0;
  return out;
}

}  // namespace gpusight::doctor
