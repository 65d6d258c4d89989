// SPDX-License-Identifier: Apache-2.0
// E5, within one rank: its main thread stands in collectives and few multiprocessors work. Who is
// waited for among the ranks is engine.cc's business.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> Communication(View& view) {
  if (view.window().subject.rank < 0) return {};
  if (!view.Needs({Signal::kStackCollective, Signal::kSmActive}) || !view.WarmedUp()) return {};
  if (!view.Is(Signal::kStackCollective, Limit::kCommShare) ||
      !(view.Now(Signal::kSmActive) <= 0.6))
    return {};
  Finding finding = view.Make(view.Now(Signal::kStackCollective), 0.7,
                              {Fact("comm_share", {Ratio(view.Now(Signal::kStackCollective))}),
                               Fact("sm_active", {Ratio(view.Now(Signal::kSmActive))})});
  finding.form = "comm";
  return finding;
}

}  // namespace gpusight::diagnose
