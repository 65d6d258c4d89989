// SPDX-License-Identifier: Apache-2.0
// What the meter (meter.cc) writes and its readers (nvml_cost.cc, measure/meter.py) read: one
// record per driver function, at a fixed layout, so that counters survive any way a process ends.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gpusight::bench {

struct MeterRecord {
  char name[64];
  std::atomic<uint64_t> calls;
  std::atomic<uint64_t> failures;  // answers other than success
  std::atomic<uint64_t> cpu_ns;    // of the calling thread, inside the driver
  std::atomic<uint64_t> wall_ns;
};
static_assert(sizeof(MeterRecord) == 96);

// Exported by the meter with C linkage; found with dlsym.
using MeterRecordsFn = const MeterRecord* (*)(size_t* count);
// Nanoseconds of CPU that one reading of the meter's clock costs; every call pays for two.
using MeterClockCostFn = uint64_t (*)();
// True while the calling thread is inside a driver call.
using MeterInsideFn = bool (*)();

}  // namespace gpusight::bench
