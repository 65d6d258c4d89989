// SPDX-License-Identifier: Apache-2.0
// The memory of a device. The second version of the driver's call keeps what the driver reserves
// apart, so that total = used + free + reserved to the byte; the first counts it as used.
// Next: processes.h.
#pragma once

#include <optional>

#include "probe/nvml/gpu.h"
#include "probe/nvml/pass.h"

namespace gpusight::nvml {

struct MemoryParts {
  uint64_t total = 0, used = 0, free = 0, reserved = 0;
};

// What the driver says, made to satisfy total = used + free + reserved. It does so on every
// driver seen; one document says that `used` includes `reserved`, so the identity is checked and
// that reading tried too. nullopt when neither can be true.
[[nodiscard]] std::optional<MemoryParts> Settle(const MemoryV2& memory);

// Fills kMemoryTotal, -Used, -Free and -DriverReserved.
Return ReadMemory(Pass& pass, Gpu& gpu);

}  // namespace gpusight::nvml
