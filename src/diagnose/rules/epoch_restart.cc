// SPDX-License-Identifier: Apache-2.0
// A8: again and again all loader processes end, new ones start, and no step is made meanwhile.
#include "diagnose/rules/rules.h"

#include <algorithm>

#include "diagnose/statistics.h"

namespace gpusight::diagnose {

std::optional<Finding> EpochRestart(View& view) {
  if (!view.Needs({Signal::kWorkersReplaced})) return {};
  double lost = 0;
  std::vector<double> lengths;
  for (const Stall& stall : view.window().stalls) {
    if (stall.kind != StallKind::kRestart) continue;
    lost += stall.seconds;
    lengths.push_back(stall.seconds);
  }
  if (lengths.size() < 2 || view.window().worker_generations < 2) return {};
  const double share = lost / view.Observed();
  if (!view.Is(share, Limit::kRestartShare)) return {};
  Finding finding = view.Make(share, 0.9,
                              {Fact("epoch_restarts", {Count(static_cast<double>(lengths.size())),
                                                       Seconds(Median(lengths).value_or(0))}),
                               Fact("share_of_run", {Ratio(share)})});
  finding.proposal = std::max(1.0, std::round(view.Or0(Signal::kWorkers)));
  return finding;
}

}  // namespace gpusight::diagnose
