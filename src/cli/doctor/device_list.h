// SPDX-License-Identifier: Apache-2.0
// Lists of devices for the page: eight cards of one mind make one line. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/frame.h"

namespace gpusight::doctor {

using Devices = std::vector<const DeviceSample*>;

// The whole cards (not MIG instances) that answer and for which `wanted` holds.
[[nodiscard]] Devices Select(const Frame& frame,
                             const std::function<bool(const DeviceSample&)>& wanted);

// "0-3,5": what nvidia-smi takes after -i but for the ranges, see Indices().
[[nodiscard]] std::string Ranges(const Devices& devices);
// "GPU 0-3,5".
[[nodiscard]] std::string Named(const Devices& devices);
// "0,1,2,3,5": for commands.
[[nodiscard]] std::string Indices(const Devices& devices);

// Whether the field is known and equal to `value`.
[[nodiscard]] bool Is(const DeviceSample& device, DeviceField field, double value);
// Whether the field is known and above `value`.
[[nodiscard]] bool Above(const DeviceSample& device, DeviceField field, double value);

}  // namespace gpusight::doctor
