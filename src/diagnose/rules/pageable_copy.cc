// SPDX-License-Identifier: Apache-2.0
// B1: while the device computes nothing, data come to it far below the speed of the link. Frames
// are a second apart, so that the speed within the idle time is judged, not single bursts.
#include "diagnose/rules/link.h"
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> PageableCopy(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kPcieReceive, Signal::kLinkGenerationMax,
                   Signal::kLinkWidthMax, Signal::kMainCpu}) ||
      !view.Starved())
    return {};
  view.Wants({Signal::kStackTop});
  const double rate = view.Now(Signal::kPcieReceive), idle = view.Idle(), peak = LinkPeak(view);
  if (!view.Is(rate, Limit::kCopyRate)) return {};
  const double in_idle = rate / std::max(idle, 0.01);
  // Pageable copies run at some GB/s; where much less comes in the idle time, the copy is not its
  // cause.
  if (!(in_idle >= 2.5e9) || !view.Is(in_idle / peak, Limit::kCopyShare)) return {};
  if (view.Now(Signal::kDataWait) >= view.At(Limit::kDataWait)) return {};
  const double lost = std::min(idle, rate / 6e9);
  if (!view.Is(lost, Limit::kCopyLoss)) return {};
  const bool busy = view.Now(Signal::kMainCpu) >= 0.5;
  const bool seen = view.Is(Signal::kStackTop, Limit::kSyncTop);
  if (!busy && !seen) return {};
  Finding finding =
      view.Make(lost, 0.62 + 0.1 * busy + 0.15 * seen,
                {Fact("gpu_idle", {Ratio(idle)}), Fact("h2d_rate", {Speed(in_idle), Speed(peak)}),
                 Fact("main_cpu", {Cores(view.Now(Signal::kMainCpu))})});
  if (seen) {
    finding.place = view.features().top_place;
    finding.evidence.push_back(
        Fact("stack_share", {Ratio(view.Now(Signal::kStackTop)), Figure(finding.place)}));
  }
  return finding;
}

}  // namespace gpusight::diagnose
