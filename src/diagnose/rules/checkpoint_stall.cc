// SPDX-License-Identifier: Apache-2.0
// E1: steps pause again and again while much is written, or while stacks lie in a save.
#include "diagnose/rules/rules.h"

#include <algorithm>

#include "diagnose/statistics.h"

namespace gpusight::diagnose {

std::optional<Finding> CheckpointStall(View& view) {
  if (!view.Needs({Signal::kWriteRate})) return {};
  double lost = 0, written = 0, longest = 0;
  std::vector<double> lengths;
  for (const Stall& stall : view.window().stalls) {
    if (stall.kind != StallKind::kCheckpoint) continue;
    lost += stall.seconds;
    written += stall.written;
    longest = std::max(longest, stall.seconds);
    lengths.push_back(stall.seconds);
  }
  if (lengths.empty() || (lengths.size() < 2 && longest < 60)) return {};
  const double share = lost / std::max(view.Observed(), 1.0);
  if (!view.Is(share, Limit::kPhaseShare)) return {};
  std::vector<Evidence> evidence = {Fact("checkpoints", {Count(static_cast<double>(lengths.size())),
                                                         Seconds(Median(lengths).value_or(0))}),
                                    Fact("share_of_run", {Ratio(share)})};
  if (written > 0)
    evidence.push_back(Fact("written", {Bytes(written), Speed(written / std::max(lost, 0.1))}));
  Finding finding = view.Make(share, 0.9, std::move(evidence));
  finding.level =
      view.Is(share, Limit::kPhaseCritical) ? FindingLevel::kCritical : FindingLevel::kWarning;
  return finding;
}

}  // namespace gpusight::diagnose
