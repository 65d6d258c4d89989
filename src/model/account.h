// SPDX-License-Identifier: Apache-2.0
// The memory account of a device, to the byte:
//   used  = sum of its processes + residual
//   total = used + free + driver-reserved
// The residual is memory that the driver counts as used but lists under no process: contexts of
// processes outside this container, of ended ones, or of the driver itself.
#pragma once

#include "model/frame.h"

namespace gpusight {

struct Account {
  Known<double> total, used, free, driver_reserved;
  Known<double> processes;  // sum; kIncomplete when a process's share is not known
  Known<double> residual;   // used - processes
  bool balanced = false;    // total == used + free + driver_reserved, exactly
};

// For `frame.devices[device]`. Pure.
[[nodiscard]] Account AccountOf(const Frame& frame, size_t device);

// Writes kMemoryProcesses and kMemoryResidual of every device from its process list. The sampler
// calls it once per frame, after processes were merged.
void FillAccounts(Frame& frame);

}  // namespace gpusight
