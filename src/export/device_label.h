// SPDX-License-Identifier: Apache-2.0
// How a device is called in logs and on screens.
#pragma once

#include <string>

#include "model/frame.h"

namespace gpusight::exporting {

// The index of the GPU that `frame.devices[device]` is, or of which it is an instance.
[[nodiscard]] int GpuIndex(const Frame& frame, size_t device);

// Appends "0" for a GPU, "0/7/1" (GPU, GPU instance, compute instance) for a MIG instance.
void AppendDeviceLabel(std::string& out, const Frame& frame, size_t device);
[[nodiscard]] std::string DeviceLabel(const Frame& frame, size_t device);

// "GPU 0  NVIDIA H200"; without the name where the driver does not say it.
[[nodiscard]] std::string DeviceTitle(const Frame& frame, size_t device);

}  // namespace gpusight::exporting
