// SPDX-License-Identifier: Apache-2.0
#include "export/number.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace gpusight::exporting {

void AppendNumber(std::string& out, double value) {
  if (!std::isfinite(value)) return;
  char text[32];
  // Up to 2^53 every whole number is exact in a double.
  constexpr double kExact = 9007199254740992.0;
  const bool whole = std::fabs(value) <= kExact && std::trunc(value) == value;
  const auto end = whole ? std::to_chars(text, text + sizeof text, static_cast<int64_t>(value))
                         : std::to_chars(text, text + sizeof text, value);
  out.append(text, end.ptr);
}

}  // namespace gpusight::exporting
