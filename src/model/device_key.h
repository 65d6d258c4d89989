// SPDX-License-Identifier: Apache-2.0
// What tells one device from another from frame to frame: its UUID, and for one whose driver gives
// none, its index. Next: frame.h.
#pragma once

#include <string>

#include "model/frame.h"

namespace gpusight {

[[nodiscard]] std::string DeviceKey(const DeviceInfo& device);

// Whether DeviceKey() of both is the same, without making it where there is a UUID.
[[nodiscard]] bool SameDevice(const DeviceInfo& a, const DeviceInfo& b);

// Whether `key` is DeviceKey() of it.
[[nodiscard]] bool HasKey(const DeviceInfo& device, const std::string& key);

}  // namespace gpusight
