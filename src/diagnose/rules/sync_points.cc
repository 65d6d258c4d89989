// SPDX-License-Identifier: Apache-2.0
// C2: the device drains in short gaps, and much of the main thread's time is one line of the
// program that waits in a call which is not Python (item, cpu, numpy, synchronize). One such wait
// in each step is normal: without an idle device it is no finding.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> SyncPoints(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kMainCpu}) || !view.WarmedUp()) return {};
  if (!view.Needs({Signal::kStackTop})) return {};
  if (!view.Is(Signal::kIdle, Limit::kSyncIdle) ||
      view.Now(Signal::kGapShare) > view.At(Limit::kLaunchGap))
    return {};
  if (view.Now(Signal::kDataWait) >= view.At(Limit::kDataWait) ||
      !(view.Now(Signal::kMainCpu) >= 0.5))
    return {};
  if (!view.Is(Signal::kStackTop, Limit::kSyncTop) ||
      !view.Is(view.Or0(Signal::kPcieReceive), Limit::kLaunchLink))
    return {};
  if (view.Now(Signal::kSteps) <= 0) return {};
  // What an evaluation or a save does is another rule's.
  if (view.Now(Signal::kStackData) >= 0.2 || view.Now(Signal::kStackEvaluation) >= 0.2 ||
      view.Now(Signal::kStackCheckpoint) >= 0.2)
    return {};
  const double top = view.Now(Signal::kStackTop);
  Finding finding = view.Make(view.Idle(), 0.7 + 0.2 * (top >= 0.2),
                              {Fact("gpu_idle", {Ratio(view.Idle())}), Fact("no_gaps"),
                               Fact("stack_share", {Ratio(top), Figure(view.features().top_place)}),
                               Fact("main_cpu", {Cores(view.Now(Signal::kMainCpu))})});
  finding.place = view.features().top_place;
  return finding;
}

}  // namespace gpusight::diagnose
