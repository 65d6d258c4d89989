// SPDX-License-Identifier: Apache-2.0
// F6: a process that is not of this job works on the same device, or memory is gone that nobody
// holds.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> NeighbourOnCard(View& view) {
  if (!view.Needs({Signal::kMemoryTotal, Signal::kMemoryOthers})) return {};
  view.Wants({Signal::kSmOthers});
  const double total = view.Now(Signal::kMemoryTotal), others = view.Now(Signal::kMemoryOthers),
               sm = view.Or0(Signal::kSmOthers);
  const bool visible =
      view.Is(others / total, Limit::kNeighbourMemory) || view.Is(sm, Limit::kNeighbourSm);
  const bool hidden = !visible && view.Is(Signal::kMemoryHidden, Limit::kNeighbourHidden);
  if (!visible && !hidden) return {};
  std::vector<Evidence> evidence;
  const Neighbour& other = view.window().neighbour;
  if (visible)
    evidence.push_back(Fact("neighbour_process", {Figure(std::to_string(other.pid)),
                                                  Bytes(other.memory), Ratio(other.sm)}));
  if (hidden)
    evidence.push_back(Fact("neighbour_hidden", {Bytes(view.Now(Signal::kMemoryHidden))}));
  evidence.push_back(Fact("used_of_total", {Bytes(view.Now(Signal::kMemoryUsed)), Bytes(total)}));
  return view.Make(std::clamp(0.5 * sm, 0.1, 0.9), visible ? 0.95 : 0.65, std::move(evidence));
}

}  // namespace gpusight::diagnose
