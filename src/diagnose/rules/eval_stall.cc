// SPDX-License-Identifier: Apache-2.0
// E2: training pauses again and again without writing, for evaluation or for its metrics on the
// CPU.
#include "diagnose/rules/rules.h"

#include <algorithm>

#include "diagnose/statistics.h"

namespace gpusight::diagnose {

std::optional<Finding> EvaluationStall(View& view) {
  if (!view.Needs({Signal::kMainCpu}) || !view.window().subject.has_page) return {};
  double lost = 0;
  bool named = false;
  std::vector<double> lengths;
  for (const Stall& stall : view.window().stalls) {
    const bool evaluation = stall.kind == StallKind::kEvaluation;
    const bool metric =
        stall.kind == StallKind::kUnknown && stall.main_cpu >= 0.8 && stall.main_cpu <= 1.6;
    if (!evaluation && !metric) continue;
    named = named || evaluation;
    lost += stall.seconds;
    lengths.push_back(stall.seconds);
  }
  if (lengths.size() < 2) return {};
  const double share = lost / std::max(view.Observed(), 1.0);
  if (!view.Is(share, Limit::kEvaluationShare)) return {};
  // An evaluation that keeps the device busy is work, not a stall.
  if (view.Lately(Signal::kSmActive) >= 0.7) return {};
  return view.Make(share, named ? 0.8 : 0.6,
                   {Fact("evaluations", {Count(static_cast<double>(lengths.size())),
                                         Seconds(Median(lengths).value_or(0))}),
                    Fact("share_of_run", {Ratio(share)})});
}

}  // namespace gpusight::diagnose
