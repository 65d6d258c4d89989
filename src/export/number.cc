// SPDX-License-Identifier: Apache-2.0
#include "export/number.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace gpusight::exporting {

std::string_view WriteNumber(std::span<char, 32> buffer, double value) {
  if (!std::isfinite(value)) return {};
  char* const begin = buffer.data();
  char* const end = begin + buffer.size();
  // Up to 2^53 every whole number is exact in a double.
  constexpr double kExact = 9007199254740992.0;
  const bool whole = std::fabs(value) <= kExact && std::trunc(value) == value;
  const auto result = whole ? std::to_chars(begin, end, static_cast<int64_t>(value))
                            : std::to_chars(begin, end, value);
  return {begin, static_cast<size_t>(result.ptr - begin)};
}

void AppendNumber(std::string& out, double value) {
  char buffer[32];
  out += WriteNumber(buffer, value);
}

}  // namespace gpusight::exporting
