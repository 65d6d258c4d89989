// SPDX-License-Identifier: Apache-2.0
// A1: nobody loads beside the training thread, and that thread is what the device waits for: by the
// steps' own waits, by stacks, or by a busy core and long gaps.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> SerialLoader(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kWorkers, Signal::kMainCpu}) || !view.Starved())
    return {};
  view.Wants({Signal::kDataWait, Signal::kStackData});
  if (!(view.Now(Signal::kWorkers) < 0.5)) return {};
  const bool told = view.Is(Signal::kDataWait, Limit::kDataWait);
  const bool seen = view.Is(Signal::kStackData, Limit::kLoaderStack);
  const bool busy =
      view.Is(Signal::kMainCpu, Limit::kMainBusy) || view.Now(Signal::kMainBlocked) >= 0.3;
  const double free = view.Now(Signal::kCores) - view.Now(Signal::kTreeCpu);
  // Without a word from the framework only long gaps tell it from slow launches.
  const bool gaps = std::isnan(view.Now(Signal::kDataWait)) &&
                    std::isnan(view.Now(Signal::kStackData)) && view.Now(Signal::kGapShare) >= 0.2;
  if (!busy || !(told || seen || gaps)) return {};
  std::vector<Evidence> evidence = {Fact("gpu_idle", {Ratio(view.Idle())})};
  if (told) evidence.push_back(Fact("data_wait", {Ratio(view.Now(Signal::kDataWait))}));
  evidence.push_back(Fact("no_workers"));
  evidence.push_back(Fact("main_cpu", {Cores(view.Now(Signal::kMainCpu))}));
  if (free >= 1)
    evidence.push_back(Fact("cores_free", {Cores(free), Cores(view.Now(Signal::kCores))}));
  const double lost = told ? std::max(view.Idle(), view.Now(Signal::kDataWait)) : view.Idle();
  Finding finding =
      view.Make(std::min(lost, 0.99), 0.65 + 0.15 * told + 0.1 * seen + 0.05 * (free >= 2),
                std::move(evidence));
  const double cores = view.Now(Signal::kCores);
  if (cores >= 2) finding.proposal = std::min(8.0, cores - 1);
  return finding;
}

}  // namespace gpusight::diagnose
