// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/workspace.h"

#include "base/text.h"
#include "base/units.h"

namespace gpusight::doctor {

std::optional<double> WorkspaceBytes(std::string_view text) {
  if (!text.starts_with(':')) return std::nullopt;
  const auto parts = Split(text.substr(1), ':');
  if (parts.size() % 2 != 0) return std::nullopt;
  double bytes = 0;
  for (size_t i = 0; i < parts.size(); i += 2) {
    const auto size = ParseNumber<uint32_t>(parts[i]);
    const auto count = ParseNumber<uint32_t>(parts[i + 1]);
    if (!size || !count) return std::nullopt;
    bytes += static_cast<double>(*size) * kKiB * *count;
  }
  return bytes;
}

}  // namespace gpusight::doctor
