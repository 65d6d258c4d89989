// SPDX-License-Identifier: Apache-2.0
// A9: loader processes hand batches over in /dev/shm, and that is nearly full or very small.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> ShmExhaustion(View& view) {
  if (!view.Needs({Signal::kShmTotal, Signal::kShmUsed, Signal::kWorkers})) return {};
  if (!(view.Most(Signal::kWorkers) >= 1)) return {};
  const double total = view.Now(Signal::kShmTotal), used = view.Most(Signal::kShmUsed);
  if (!(total > 0)) return {};
  const bool full = view.Is(used / total, Limit::kShmFull);
  if (!full && !view.Is(total, Limit::kShmSmall)) return {};
  std::vector<Evidence> evidence = {
      Fact("shm", {Bytes(used), Bytes(total)}),
      Fact("workers_busy", {Count(view.Now(Signal::kWorkers)),
                            Ratio(std::min(1.0, view.Or0(Signal::kWorkerCpu)))})};
  Finding finding = view.Make(full ? 0.5 : 0.1, full ? 0.95 : 0.7, std::move(evidence));
  finding.level = full ? FindingLevel::kCritical : FindingLevel::kWarning;
  return finding;
}

}  // namespace gpusight::diagnose
