// SPDX-License-Identifier: Apache-2.0
// Counts what a test program allocates: linking allocations.cc replaces operator new in all of it.
#pragma once

#include <cstdint>

namespace gpusight {

// By operator new, in all threads, since the start.
[[nodiscard]] uint64_t AllocationCount();

}  // namespace gpusight
