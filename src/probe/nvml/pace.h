// SPDX-License-Identifier: Apache-2.0
// When something dear was last done and what it cost. chores.h decides from it.
#pragma once

#include <limits>

#include "base/clock.h"

namespace gpusight::nvml {

inline constexpr MonoTime kNever{std::numeric_limits<int64_t>::min() / 2};

struct Pace {
  MonoTime last = kNever;
  double cost = 0;  // seconds of CPU
};

}  // namespace gpusight::nvml
