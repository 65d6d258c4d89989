// SPDX-License-Identifier: Apache-2.0
// Several jobs on one card by preallocation: another process holds most of its memory and uses
// little of its time.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> Preallocated(View& view) {
  if (!view.Needs({Signal::kMemoryOthers, Signal::kMemoryTotal})) return {};
  const Neighbour& other = view.window().neighbour;
  const double total = view.Last(Signal::kMemoryTotal);
  if (!(view.Last(Signal::kMemoryOthers) >= other.memory) ||
      !view.Is(other.memory / total, Limit::kPreallocated) || !(other.sm <= 0.3))
    return {};
  return view.Make(0.4, 0.8,
                   {Fact("preallocated", {Figure(std::to_string(other.pid)), Bytes(other.memory)}),
                    Fact("used_of_total", {Bytes(view.Last(Signal::kMemoryUsed)), Bytes(total)})});
}

}  // namespace gpusight::diagnose
