// SPDX-License-Identifier: Apache-2.0
// A sampler whose driver is behind the meter, and what a stretch of its samples cost: the process's
// CPU, the driver's share of it call by call, allocations. Used by nvml_cost.cc (real card) and
// frame_bench.cc (fake driver). Next: meter.h.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "bench/meter.h"
#include "probe/sampler.h"

namespace gpusight::bench {

struct CallCost {
  std::string name;
  uint64_t calls = 0, failures = 0, cpu_ns = 0, wall_ns = 0;
};

// Counters at one moment; the difference of two is what happened between.
struct Reading {
  uint64_t process_cpu_ns = 0;  // all threads
  uint64_t thread_cpu_ns = 0;   // the caller's
  uint64_t wall_ns = 0;
  uint64_t allocations = 0;
  std::vector<CallCost> calls;
};

class Metered {
 public:
  // `meter`: path of the meter library; `library`: the driver behind it, empty for the real one.
  static Result<Metered> Load(const std::string& meter, const std::string& library);

  // Reading costs something itself; Begin() reads the clocks last and End() first, so that what
  // lies between two readings is free of it.
  [[nodiscard]] Reading Begin() const;
  [[nodiscard]] Reading End() const;
  // CPU that one clock reading of the meter costs, nanoseconds.
  [[nodiscard]] uint64_t clock_cost_ns() const { return clock_cost_ns_; }

 private:
  void ReadCalls(Reading& reading) const;

  MeterRecordsFn records_ = nullptr;
  uint64_t clock_cost_ns_ = 0;
};

// What happened between two readings, the meter's own cost taken out of both sums: two clock
// readings a call in the process, one of them inside the driver's share.
struct Cost {
  double process_us = 0;      // CPU, all threads
  double caller_us = 0;       // CPU of the thread that called Sample()
  double driver_us = 0;       // CPU inside driver calls
  double driver_wall_us = 0;  // without the waiting for events
  double wall_us = 0;
  uint64_t allocations = 0;
  uint64_t driver_calls = 0;
  std::vector<CallCost> calls;  // those that were made, dearest first
};
[[nodiscard]] Cost Between(const Reading& before, const Reading& after, uint64_t clock_cost_ns);

}  // namespace gpusight::bench
