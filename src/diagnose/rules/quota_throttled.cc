// SPDX-License-Identifier: Apache-2.0
// A4: the control group's quota stops the job in many periods.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> QuotaThrottled(View& view) {
  if (!view.Needs({Signal::kThrottled, Signal::kThrottledTime})) return {};
  if (!view.Is(Signal::kThrottled, Limit::kThrottled) ||
      !view.Is(Signal::kThrottledTime, Limit::kThrottledTime))
    return {};
  const double idle = view.Or0(Signal::kIdle);
  std::vector<Evidence> evidence = {
      Fact("throttled", {Ratio(std::min(1.0, view.Now(Signal::kThrottled))),
                         Ratio(std::min(1.0, view.Now(Signal::kThrottledTime)))}),
      Fact("quota", {Cores(view.Now(Signal::kQuota)), Cores(view.Now(Signal::kCoresVisible))}),
      Fact("gpu_idle", {Ratio(idle)})};
  Finding finding = view.Make(std::max(0.05, idle), 0.95, std::move(evidence));
  if (view.Now(Signal::kQuota) >= 1)
    finding.proposal = std::max(1.0, std::floor(view.Now(Signal::kQuota)) - 1);
  return finding;
}

}  // namespace gpusight::diagnose
