// SPDX-License-Identifier: Apache-2.0
// Any bytes as CUDA_VISIBLE_DEVICES and NVIDIA_VISIBLE_DEVICES, on a machine with and one without
// MIG: every device that comes out is one that was given, and none comes out twice.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "probe/host/visible_devices.h"

namespace {

using gpusight::DeviceInfo;

std::vector<DeviceInfo> Machine(bool mig) {
  std::vector<DeviceInfo> devices;
  for (int i = 0; i < 4; ++i) {
    DeviceInfo& gpu = devices.emplace_back();
    gpu.uuid = i < 2 ? "GPU-9e8d35e" + std::to_string(i) : "GPU-47" + std::to_string(i);
    gpu.index = i;
    gpu.name = i == 3 ? "NVIDIA T400" : "NVIDIA H200";
    gpu.pci_bus_id = "00000000:0" + std::to_string(9 - i) + ":00.0";
    for (int k = 0; mig && i == 1 && k < 2; ++k) {
      DeviceInfo& instance = devices.emplace_back();
      instance.uuid = "MIG-aa" + std::to_string(k);
      instance.parent_uuid = "GPU-9e8d35e1";
      instance.gpu_instance = k + 1;
      instance.compute_instance = 0;
    }
  }
  return devices;
}

void Check(const std::vector<int>& found, size_t count) {
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i] < 0 || static_cast<size_t>(found[i]) >= count) std::abort();
    if (std::count(found.begin(), found.end(), found[i]) != 1) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gpusight::host;
  static const std::vector<DeviceInfo> kMachines[] = {Machine(false), Machine(true), {}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& machine : kMachines) {
    std::vector<const DeviceInfo*> devices;
    devices.reserve(machine.size());
    for (const DeviceInfo& device : machine) devices.push_back(&device);
    for (const char* order : {"", "PCI_BUS_ID"}) {
      const VisibleDevices visible = ParseCudaVisibleDevices(text, order, devices);
      Check(visible.devices, devices.size());
      if (visible.end == ListEnd::kRepeated && !visible.devices.empty()) std::abort();
    }
    if (const auto chosen = ParseNvidiaVisibleDevices(text, devices)) {
      Check(*chosen, devices.size());
    }
  }
  return 0;
}
