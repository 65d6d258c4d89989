// SPDX-License-Identifier: Apache-2.0
// Reading the parts of a scenario that concern one device: recording, overrides, tracks, MIG.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "testing/fake_nvml/json.h"
#include "testing/fake_nvml/scenario.h"

namespace gpusight::fake {

// Appends the device, or its "copies".
void ReadDevice(const Node& node, const Reader& read_recording, std::vector<DeviceSpec>& devices);

// {"code": 3} or {"err": "Not Supported"} or {"v": 5} / {"value": [1, 2]} or {"track": …} or
// {"rate": …}; `strict` refuses a node that is none of them.
[[nodiscard]] Entry ReadEntry(const Node& node, bool strict);

// Members "from" and "until".
[[nodiscard]] Window ReadWindow(const Node& node);

// A number as T, rounded and held within T's range; 0 for a text.
template <typename T>
[[nodiscard]] T NumberOf(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    constexpr auto kLowest = static_cast<double>(std::numeric_limits<T>::lowest());
    constexpr auto kHighest = static_cast<double>(std::numeric_limits<T>::max());
    const double rounded = value < 0 ? value - 0.5 : value + 0.5;
    if (!(rounded > kLowest)) return std::numeric_limits<T>::lowest();
    if (rounded >= kHighest) return std::numeric_limits<T>::max();
    return static_cast<T>(rounded);
  }
}
template <typename T>
[[nodiscard]] T NumberOf(const Item& item) {
  if (const auto* u = std::get_if<uint64_t>(&item)) return static_cast<T>(*u);
  if (const auto* i = std::get_if<int64_t>(&item)) return static_cast<T>(*i);
  if (const auto* d = std::get_if<double>(&item)) return NumberOf<T>(*d);
  return T{};
}

}  // namespace gpusight::fake
