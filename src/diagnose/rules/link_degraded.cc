// SPDX-License-Identifier: Apache-2.0
// B3: under load the link runs below its best state. Idle links slow down by design, so that only
// the best state within the time counts, and only under load.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> LinkDegraded(View& view) {
  if (!view.Needs({Signal::kLinkGeneration, Signal::kLinkGenerationMax, Signal::kLinkWidth,
                   Signal::kLinkWidthMax, Signal::kIdle}))
    return {};
  const double traffic = view.Or0(Signal::kPcieReceive) + view.Or0(Signal::kPcieTransmit);
  if (!view.Is(traffic, Limit::kLinkTraffic) && !(view.Idle() <= 0.5)) return {};
  const double generation = view.Most(Signal::kLinkGeneration),
               width = view.Most(Signal::kLinkWidth);
  const double best = view.Now(Signal::kLinkGenerationMax),
               widest = view.Now(Signal::kLinkWidthMax);
  if (!(generation >= 1 && width >= 1) || !(generation < best || width < widest)) return {};
  return view.Make(
      std::max(0.05, std::min(view.Idle(), 0.5)), 0.95,
      {Fact("link_state", {Count(generation), Count(width), Count(best), Count(widest)}),
       Fact("gpu_idle", {Ratio(view.Idle())})});
}

}  // namespace gpusight::diagnose
