// SPDX-License-Identifier: Apache-2.0
#include "model/catalog.h"

#include <fmt/core.h>

#include "base/units.h"

namespace gpusight {

std::optional<DeviceField> FindDeviceField(std::string_view name) {
  const auto rows = DeviceRows();
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == name || rows[i].log == name) return static_cast<DeviceField>(i);
  }
  return std::nullopt;
}

std::string_view UnitName(Unit unit) {
  switch (unit) {
    case Unit::kRatio:
      return "ratio";
    case Unit::kBytes:
      return "bytes";
    case Unit::kBytesPerSecond:
      return "bytes per second";
    case Unit::kSeconds:
      return "seconds";
    case Unit::kWatts:
      return "watts";
    case Unit::kJoules:
      return "joules";
    case Unit::kCelsius:
      return "celsius";
    case Unit::kHertz:
      return "hertz";
    case Unit::kCount:
      return "count";
    case Unit::kCores:
      return "cores";
    case Unit::kMask:
      return "bit mask";
    case Unit::kNumber:
      return "number";
  }
  return "?";
}

std::string FormatValue(Unit unit, double value) {
  switch (unit) {
    case Unit::kRatio:
      return FormatRatio(value);
    case Unit::kBytes:
      return FormatBytes(value);
    case Unit::kBytesPerSecond:
      return FormatRate(value);
    case Unit::kSeconds:
      return FormatDuration(value);
    case Unit::kWatts:
      return fmt::format("{:.0f}W", value);
    case Unit::kJoules:
      return fmt::format("{:.0f}J", value);
    case Unit::kCelsius:
      return fmt::format("{:.0f}C", value);
    case Unit::kHertz:
      return fmt::format("{:.0f}MHz", value / 1e6);
    case Unit::kCores:
      return fmt::format("{:.2f}", value);
    case Unit::kMask:
      return fmt::format("0x{:x}", static_cast<uint64_t>(value));
    case Unit::kCount:
    case Unit::kNumber:
      return fmt::format("{:.0f}", value);
  }
  return {};
}

}  // namespace gpusight
