// SPDX-License-Identifier: Apache-2.0
// A5: many more threads want to run than there are cores, and the kernel switches between them.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> Oversubscribed(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kTreeRunning, Signal::kCores})) return {};
  view.Wants({Signal::kCpuPressure, Signal::kMainInvoluntary});
  const double running = view.Now(Signal::kTreeRunning), cores = view.Now(Signal::kCores);
  if (!view.Is(running / cores, Limit::kOversubscribed) || view.Now(Signal::kThrottled) >= 0.1)
    return {};
  const bool pressure = view.Is(Signal::kCpuPressure, Limit::kCpuPressure);
  const bool switches = view.Now(Signal::kMainInvoluntary) >= 500;
  if (!(pressure || switches) || !view.Starved()) return {};
  std::vector<Evidence> evidence = {Fact("gpu_idle", {Ratio(view.Idle())}),
                                    Fact("runnable", {Count(running), Cores(cores)})};
  if (pressure) evidence.push_back(Fact("cpu_pressure", {Ratio(view.Now(Signal::kCpuPressure))}));
  if (switches)
    evidence.push_back(Fact("involuntary", {Count(view.Now(Signal::kMainInvoluntary))}));
  Finding finding =
      view.Make(view.Idle(), 0.86 + 0.04 * (pressure && switches), std::move(evidence));
  finding.proposal = std::max(1.0, std::floor(cores / 2));
  return finding;
}

}  // namespace gpusight::diagnose
