// SPDX-License-Identifier: Apache-2.0
#include "model/catalog.h"

#include <fmt/core.h>

#include "base/units.h"
#include "model/text/units.h"

namespace gpusight {

std::optional<DeviceField> FindDeviceField(std::string_view name) {
  const auto rows = DeviceRows();
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == name || rows[i].log == name) return static_cast<DeviceField>(i);
  }
  return std::nullopt;
}

const Text& UnitName(Unit unit) {
  switch (unit) {
    case Unit::kRatio:
      return text::kUnitRatio;
    case Unit::kBytes:
      return text::kUnitBytes;
    case Unit::kBytesPerSecond:
      return text::kUnitBytesPerSecond;
    case Unit::kSeconds:
      return text::kUnitSeconds;
    case Unit::kWatts:
      return text::kUnitWatts;
    case Unit::kJoules:
      return text::kUnitJoules;
    case Unit::kCelsius:
      return text::kUnitCelsius;
    case Unit::kHertz:
      return text::kUnitHertz;
    case Unit::kCount:
      return text::kUnitCount;
    case Unit::kCores:
      return text::kUnitCores;
    case Unit::kMask:
      return text::kUnitMask;
    case Unit::kNumber:
      return text::kUnitNumber;
  }
  return text::kUnitUnknown;
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
