// SPDX-License-Identifier: Apache-2.0
// --device: which devices of a frame are meant. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/language.h"
#include "base/result.h"
#include "model/frame.h"

namespace gpusight::cli {

// The UUIDs of the devices named by `specs`, in the frame's order: an index ("0"; the GPU itself,
// not its instances), a MIG instance's label ("0/7/0"), or the beginning of a UUID (any case, with
// or without "GPU-"). All devices when `specs` is empty. A name that fits none or several is a
// kUsage error.
[[nodiscard]] Result<std::vector<std::string>> SelectDevices(const Frame& frame,
                                                             std::span<const std::string> specs,
                                                             Language language);

}  // namespace gpusight::cli
