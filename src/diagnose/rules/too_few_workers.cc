// SPDX-License-Identifier: Apache-2.0
// A2: all loader processes are busy, the training process sleeps, and cores are free for more.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> TooFewWorkers(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kWorkers, Signal::kWorkerCpu, Signal::kCores,
                   Signal::kTreeCpu}) ||
      !view.Starved()) {
    return {};
  }
  view.Wants({Signal::kDataWait});
  const double workers = view.Now(Signal::kWorkers), cores = view.Now(Signal::kCores);
  const double free = cores - view.Now(Signal::kTreeCpu);
  const double median = view.Now(Signal::kWorkerCpu), most = view.Now(Signal::kWorkerCpuMost);
  if (!(workers >= 0.5) || !view.Is(free, Limit::kCoresFree)) return {};
  if (view.Now(Signal::kThrottled) >= 0.05) return {};
  const bool told = view.Is(Signal::kDataWait, Limit::kDataWait);
  const bool asleep =
      std::isnan(view.Now(Signal::kDataWait)) && view.Is(Signal::kMainCpu, Limit::kMainAsleep);
  if (!told && !asleep) return {};
  const bool all_busy = view.Is(median, Limit::kWorkerBusy);
  const bool one_busy = !all_busy && view.Is(most, Limit::kWorkerBusy) &&
                        view.Is(most / std::max(median, 0.01), Limit::kSlowWorker);
  if (!all_busy && !one_busy) return {};
  std::vector<Evidence> evidence = {
      Fact("gpu_idle", {Ratio(view.Idle())}),
      Fact("workers_busy", {Count(workers), Ratio(std::min(all_busy ? median : most, 1.0))}),
      Fact("cores_free", {Cores(free), Cores(cores)})};
  if (told) evidence.push_back(Fact("data_wait", {Ratio(view.Now(Signal::kDataWait))}));
  const double lost =
      std::min(told ? std::max(view.Idle(), view.Now(Signal::kDataWait)) : view.Idle(), 0.95);
  const double wanted =
      std::clamp(std::ceil(workers / (1 - lost)), workers + 1, std::max(workers + 1, cores - 1));
  if (one_busy) {
    evidence.push_back(Fact("slowest_worker", {Times(most / std::max(median, 0.01))}));
  } else {
    evidence.push_back(Fact("workers_needed", {Count(wanted)}));
  }
  Finding finding =
      view.Make(lost, 0.7 + 0.15 * told + 0.05 * (view.Now(Signal::kStackWorkerWait) >= 0.2),
                std::move(evidence));
  finding.proposal = wanted;
  if (one_busy) finding.form = "slow_sample";
  return finding;
}

}  // namespace gpusight::diagnose
