// SPDX-License-Identifier: Apache-2.0
// Dear calls, asked as often as they are worth. On one card a call costs a microsecond, on the
// next two milliseconds (and the driver burns the CPU while it waits), so no fixed period is
// right. Each chore has a share of the CPU that we allow ourselves (ProbeOptions::budget); it is
// due when its cost, spread over the time since it was last done, is no more than that share.
// Next: read_device.h.
#pragma once

#include "probe/nvml/gpu.h"
#include "probe/nvml/pass.h"

namespace gpusight::nvml {

// Shares of the budget; rings are exempt where waiting would lose samples (rings.h).
inline constexpr double kShareOfSlowSource = 0.015;  // of each
inline constexpr double kShareOfProcessUse = 0.20;
inline constexpr double kShareOfRing = 0.20;
inline constexpr double kShareOfGraphicsActivity = 0.10;

// True when it may be done now: at least `period` seconds after the last time, and cheap enough.
[[nodiscard]] inline bool IsDue(const Pass& pass, const Pace& pace, double share, double period) {
  if (pace.last == kNever || pass.everything) return true;
  const double elapsed = static_cast<double>(pass.mono - pace.last) * 1e-9;
  // A poll comes a little early or late; a period that is over by then is over now.
  const double slack = 0.05 * pass.interval;
  return elapsed + slack >= period && pace.cost <= (elapsed + slack) * share * pass.options.budget;
}

// Measures what is done while it lives and notes the time.
class Timed {
 public:
  Timed(const Pass& pass, Pace& pace) : pass_(pass), pace_(pace), start_(pass.cpu_seconds()) {}
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed() {
    const double cost = pass_.cpu_seconds() - start_;
    // The first call of a kind in a process costs a multiple of the later ones: forget it fast.
    pace_.cost = pace_.cost == 0 ? cost : 0.5 * (pace_.cost + cost);
    pace_.last = pass_.mono;
  }

 private:
  const Pass& pass_;
  Pace& pace_;
  double start_;
};

}  // namespace gpusight::nvml
