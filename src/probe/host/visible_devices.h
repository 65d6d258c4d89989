// SPDX-License-Identifier: Apache-2.0
// Which devices a program sees, and in which order: CUDA_VISIBLE_DEVICES with CUDA's own grammar,
// and NVIDIA_VISIBLE_DEVICES, by which the container toolkit chooses a container's devices. By
// this a job's "cuda:1" (Paddle: "gpu:1") is told from the driver's device 1. Pure.
//
// CUDA's grammar, from its programming guide, the MIG guide, and what PyTorch's parser was checked
// against on driver 525:
//   - not set: all devices; empty: none.
//   - entries are parted by commas; the first one decides whether all are numbers, GPU-… or MIG-….
//   - a number is read as by strtoul: blanks before it and anything behind it are passed over.
//   - a UUID may be cut short as long as it names one device; blanks before it spoil it.
//   - the first entry that names no device (also -1) ends the list; what stood before it counts.
//   - an entry that names a device again makes all of them invisible.
//   - when an instance of MIG is visible, the first one is the only device.
//   - numbers count the devices by speed, unless CUDA_DEVICE_ORDER is PCI_BUS_ID.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/frame.h"

namespace gpusight::host {

// Why a list has no more devices.
enum class ListEnd : uint8_t {
  kWhole,      // every entry counts
  kEmpty,      // the variable is set to nothing
  kNoDevice,   // `entry` names no device
  kAmbiguous,  // `entry` begins the UUID of more than one
  kWrongKind,  // `entry` is of another kind than the first
  kRepeated,   // `entry` names a device again: none is visible
  kMig,        // only the first MIG instance counts
};

struct VisibleDevices {
  std::vector<int> devices;  // positions in the list that was given, in CUDA's order
  ListEnd end = ListEnd::kWhole;
  std::string entry;  // that ended it
  // False when numbers count by speed and the devices differ: the order is then our guess.
  bool certain = true;
};

// `variable` is nullopt when CUDA_VISIBLE_DEVICES is not set. `order` is CUDA_DEVICE_ORDER.
[[nodiscard]] VisibleDevices ParseCudaVisibleDevices(std::optional<std::string_view> variable,
                                                     std::string_view order,
                                                     std::span<const DeviceInfo* const> devices);

// The positions that NVIDIA_VISIBLE_DEVICES gives to a container, in the driver's order: "all",
// "none", "void", numbers, UUIDs, and "0:1" for the second MIG instance of the first GPU. nullopt:
// it does not say ("void": the devices were chosen in another way).
[[nodiscard]] std::optional<std::vector<int>> ParseNvidiaVisibleDevices(
    std::string_view variable, std::span<const DeviceInfo* const> devices);

// The position in frame.devices of what `process` calls device `ordinal`.
[[nodiscard]] Result<int> DeviceOfOrdinal(const Frame& frame, const ProcessSample& process,
                                          int ordinal);

}  // namespace gpusight::host
