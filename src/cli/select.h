// SPDX-License-Identifier: Apache-2.0
// --device: which devices of a frame are meant. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/language.h"
#include "base/result.h"
#include "cli/origins.h"
#include "model/frame.h"

namespace gpusight::cli {

// The positions in frame.devices of the devices named by `specs`, rising: an index ("0"; the GPU
// itself, not its instances), a MIG instance's label ("0/7/0"), or the beginning of a UUID (any
// case, with or without "GPU-"). All devices when `specs` is empty. A name that fits none or
// several is a kUsage error, which begins with its place when it is the configuration file's.
[[nodiscard]] Result<std::vector<size_t>> SelectDevices(const Frame& frame,
                                                        std::span<const std::string> specs,
                                                        Language language, const Origins& origins);

// The same devices in later frames, where their positions may differ, by their DeviceKey().
[[nodiscard]] std::vector<std::string> KeysOf(const Frame& frame,
                                              std::span<const size_t> positions);
void FindPositions(const Frame& frame, std::span<const std::string> keys,
                   std::vector<size_t>& positions);

}  // namespace gpusight::cli
