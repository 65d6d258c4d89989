// SPDX-License-Identifier: Apache-2.0
// F5: host memory is at its limit, or the kernel killed for want of it.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> HostLimit(View& view) {
  if (!view.Needs({Signal::kHostMemory, Signal::kHostLimit})) return {};
  view.Wants({Signal::kMemoryPressure, Signal::kOomKills});
  const double used = view.Now(Signal::kHostMemory), limit = view.Now(Signal::kHostLimit);
  const double kills = view.Last(Signal::kOomKills) - view.window().first_oom_kills;
  const bool killed = kills >= 1;
  const bool full = view.Is(used / limit, Limit::kHostFull);
  const bool thrash = view.Is(Signal::kMemoryPressure, Limit::kMemoryPressure) &&
                      view.Is(Signal::kMajorFaults, Limit::kMajorFaults) && view.Idle() >= 0.1;
  if (!killed && !full && !thrash) return {};
  std::vector<Evidence> evidence;
  if (killed) evidence.push_back(Fact("oom_kills", {Count(kills)}));
  evidence.push_back(Fact("host_limit", {Bytes(used), Bytes(limit)}));
  if (thrash) evidence.push_back(Fact("swapping", {Count(view.Now(Signal::kMajorFaults))}));
  Finding finding = view.Make(killed   ? 0.9
                              : thrash ? view.Idle()
                                       : 0.5,
                              killed ? 1 : 0.9, std::move(evidence));
  finding.level = FindingLevel::kCritical;
  return finding;
}

}  // namespace gpusight::diagnose
