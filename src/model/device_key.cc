// SPDX-License-Identifier: Apache-2.0
#include "model/device_key.h"

#include <fmt/format.h>

namespace gpusight {

std::string DeviceKey(const DeviceInfo& device) {
  if (!device.uuid.empty()) return device.uuid;
  if (device.gpu_instance < 0) return fmt::format("#{}", device.index);
  return fmt::format("#{}/{}/{}",
                     device.parent_uuid.empty() ? std::to_string(device.index) : device.parent_uuid,
                     device.gpu_instance, device.compute_instance);
}

bool SameDevice(const DeviceInfo& a, const DeviceInfo& b) {
  if (!a.uuid.empty() || !b.uuid.empty()) return a.uuid == b.uuid;
  return a.index == b.index && a.parent_uuid == b.parent_uuid && a.gpu_instance == b.gpu_instance &&
         a.compute_instance == b.compute_instance;
}

bool HasKey(const DeviceInfo& device, const std::string& key) {
  return device.uuid.empty() ? DeviceKey(device) == key : device.uuid == key;
}

}  // namespace gpusight
