// SPDX-License-Identifier: Apache-2.0
#include "export/device_label.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"

namespace gpusight::exporting {

int GpuIndex(const Frame& frame, size_t device) {
  const DeviceInfo& info = frame.devices[device].info;
  if (info.parent_uuid.empty()) return info.index;
  for (const DeviceSample& other : frame.devices) {
    if (other.info.uuid == info.parent_uuid) return other.info.index;
  }
  return info.index;
}

void AppendDeviceLabel(std::string& out, const Frame& frame, size_t device) {
  const DeviceSample& sample = frame.devices[device];
  fmt::format_to(std::back_inserter(out), "{}", GpuIndex(frame, device));
  if (!sample.is_mig_instance()) return;
  fmt::format_to(std::back_inserter(out), "/{}/{}", sample.info.gpu_instance,
                 sample.info.compute_instance);
}

std::string DeviceLabel(const Frame& frame, size_t device) {
  std::string out;
  AppendDeviceLabel(out, frame, device);
  return out;
}

std::string DeviceTitle(const Frame& frame, size_t device) {
  std::string out = "GPU ";
  AppendDeviceLabel(out, frame, device);
  const std::string& name = frame.devices[device].info.name;
  return name.empty() ? out : out + "  " + Printable(name);
}

}  // namespace gpusight::exporting
