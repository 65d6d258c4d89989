// SPDX-License-Identifier: Apache-2.0
// One pass over all devices: the moment it is for, the driver, and what is counted on the way.
// The moment is passed in because the driver thread may outlive its owner's clock. Next: gpu.h.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "probe/nvml/driver.h"
#include "probe/nvml/nvml_probe.h"

namespace gpusight::nvml {

struct Pass {
  Driver& driver;
  const ProbeOptions& options;
  MonoTime mono;
  WallTime wall;
  double interval = 0;      // seconds since the pass before; 0 in the first
  uint64_t& failures;       // calls that failed unexpectedly, since the start
  uint64_t& rejected;       // values that cannot be true, since the start
  double (*cpu_seconds)();  // CPU time of this thread so far
  bool everything = false;  // nothing is too dear this time
  unsigned answers = 0;     // questions that were answered in this pass
  Return last_failure = kSuccess;
  void Failed(Return code) {
    ++failures;
    last_failure = code;
  }
  bool first() const { return interval <= 0; }
  bool lazy() const { return first() && !options.first_slow_lane; }
};

}  // namespace gpusight::nvml
