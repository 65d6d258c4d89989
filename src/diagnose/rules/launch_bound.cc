// SPDX-License-Identifier: Apache-2.0
// C1: one busy core launches small kernels, and few multiprocessors have work, without long gaps.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> LaunchBound(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kMainCpu, Signal::kSmActive, Signal::kDram,
                   Signal::kPower, Signal::kPowerLimit}) ||
      !view.WarmedUp())
    return {};
  view.Wants({Signal::kStackDispatch, Signal::kGapShare});
  if (!view.Is(Signal::kIdle, Limit::kIdleWarn) || !view.Is(Signal::kMainCpu, Limit::kLaunchCpu) ||
      !view.Is(Signal::kSmActive, Limit::kLaunchSm) ||
      !view.Is(Signal::kDram, Limit::kLaunchDram) ||
      !view.Is(view.Now(Signal::kPower) / view.Now(Signal::kPowerLimit), Limit::kLaunchPower)) {
    return {};
  }
  if (view.Now(Signal::kGapShare) > view.At(Limit::kLaunchGap) ||
      view.Now(Signal::kDataWait) >= view.At(Limit::kDataWait))
    return {};
  if (!view.Is(view.Or0(Signal::kPcieReceive) + view.Or0(Signal::kPcieTransmit),
               Limit::kLaunchLink))
    return {};
  if (view.window().subject.has_page && view.Now(Signal::kSteps) <= 0) return {};
  // What an evaluation or a save does is another rule's.
  if (view.Now(Signal::kStackData) >= 0.2 || view.Now(Signal::kStackEvaluation) >= 0.2 ||
      view.Now(Signal::kStackCheckpoint) >= 0.2)
    return {};
  const bool dispatch = view.Now(Signal::kStackDispatch) >= 0.7;
  const bool against = view.Now(Signal::kStackTop) >= 0.12;
  const double sm = view.Now(Signal::kSmActive);
  const double lost = std::max(view.Or0(Signal::kIdle), 0.6 * (1 - sm));
  return view.Make(
      lost, 0.7 + 0.2 * dispatch - 0.3 * against,
      {Fact("sm_active_power", {Ratio(sm), Figure(Unit::kWatts, view.Now(Signal::kPower)),
                                Figure(Unit::kWatts, view.Now(Signal::kPowerLimit))}),
       Fact("main_cpu_busy", {Cores(view.Now(Signal::kMainCpu))}),
       Fact("gpu_busy", {Ratio(1 - view.Or0(Signal::kIdle))}), Fact("no_gaps")});
}

}  // namespace gpusight::diagnose
