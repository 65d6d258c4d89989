// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/device_list.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusight::doctor {
namespace {

std::vector<int> Sorted(const Devices& devices) {
  std::vector<int> indices;
  for (const DeviceSample* device : devices) indices.push_back(device->info.index);
  std::sort(indices.begin(), indices.end());
  return indices;
}

}  // namespace

Devices Select(const Frame& frame, const std::function<bool(const DeviceSample&)>& wanted) {
  Devices devices;
  for (const DeviceSample& device : frame.devices) {
    const bool card = device.state == DeviceState::kOk && !device.is_mig_instance();
    if (card && wanted(device)) devices.push_back(&device);
  }
  return devices;
}

std::string Ranges(const Devices& devices) {
  const std::vector<int> indices = Sorted(devices);
  std::string out;
  for (size_t i = 0; i < indices.size();) {
    size_t end = i;
    while (end + 1 < indices.size() && indices[end + 1] == indices[end] + 1) ++end;
    out += out.empty() ? "" : ",";
    out += fmt::format("{}", indices[i]);
    if (end > i) out += fmt::format("-{}", indices[end]);
    i = end + 1;
  }
  return out;
}

std::string Named(const Devices& devices) { return "GPU " + Ranges(devices); }

std::string Indices(const Devices& devices) {
  return fmt::format("{}", fmt::join(Sorted(devices), ","));
}

bool Is(const DeviceSample& device, DeviceField field, double value) {
  return device[field].known() && *device[field] == value;
}

bool Above(const DeviceSample& device, DeviceField field, double value) {
  return device[field].known() && *device[field] > value;
}

}  // namespace gpusight::doctor
