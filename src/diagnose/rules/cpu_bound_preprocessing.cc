// SPDX-License-Identifier: Apache-2.0
// A3: loader processes are busy and no core is left: more of them cannot help.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> CpuBoundPreprocessing(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kWorkers, Signal::kWorkerCpu, Signal::kCores,
                   Signal::kTreeCpu}) ||
      !view.Starved()) {
    return {};
  }
  const double cores = view.Now(Signal::kCores), tree = view.Now(Signal::kTreeCpu);
  if (!(view.Now(Signal::kWorkers) >= 0.5) || !view.Is(tree / cores, Limit::kCoresFull)) return {};
  if (view.Now(Signal::kThrottled) >= view.At(Limit::kThrottled) / 2) return {};
  // Many workers on few cores get less than a core each.
  const double share = view.Now(Signal::kWorkerCpu) * view.Now(Signal::kWorkers);
  if (!view.Is(Signal::kWorkerCpu, Limit::kWorkerBusy) && !(share >= 0.7 * cores)) return {};
  if (view.Now(Signal::kDataWait) < 0.05) return {};
  const bool told = view.Is(Signal::kDataWait, Limit::kDataWait);
  std::vector<Evidence> evidence = {
      Fact("gpu_idle", {Ratio(view.Idle())}), Fact("cores_busy", {Cores(tree), Cores(cores)}),
      Fact("workers_busy", {Count(view.Now(Signal::kWorkers)),
                            Ratio(std::min(1.0, view.Now(Signal::kWorkerCpu)))})};
  if (told) evidence.push_back(Fact("data_wait", {Ratio(view.Now(Signal::kDataWait))}));
  return view.Make(told ? std::max(view.Idle(), view.Now(Signal::kDataWait)) : view.Idle(),
                   0.75 + 0.1 * told, std::move(evidence));
}

}  // namespace gpusight::diagnose
