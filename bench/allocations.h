// SPDX-License-Identifier: Apache-2.0
// Counts the allocations of the whole program (all threads), except those that the driver makes
// inside its own calls. Linking allocations.cc replaces malloc. Next: allocations.cc.
#pragma once

#include <cstdint>

#include "bench/meter.h"

namespace gpusight::bench {

[[nodiscard]] uint64_t AllocationCount();

// From then on, what a thread allocates while `inside` says true is not counted.
void IgnoreAllocationsInside(MeterInsideFn inside);

}  // namespace gpusight::bench
