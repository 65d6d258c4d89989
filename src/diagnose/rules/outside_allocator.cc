// SPDX-License-Identifier: Apache-2.0
// F1 beside the allocator: what the process holds outside its framework grows, or is much. No call
// of the framework can give it back.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> OutsideAllocator(View& view) {
  if (!view.Needs({Signal::kMemoryOwn, Signal::kReserved, Signal::kMemoryTotal})) return {};
  const double outside = view.Last(Signal::kMemoryOwn) - view.Last(Signal::kReserved);
  const std::optional<memory::Growth>& growth = view.window().Growth();
  const bool grows = growth && growth->what == memory::GrowthOf::kOutside &&
                     view.Is(growth->last - growth->first, Limit::kOutsideGrowth);
  // While the process grows the two numbers are of different moments.
  const bool still = view.Most(Signal::kMemoryOwn) <= 1.02 * view.Now(Signal::kMemoryOwn);
  if (!grows && !still) return {};
  if (!grows && !(outside >= std::max(4e9, 0.05 * view.Last(Signal::kMemoryTotal)))) return {};
  std::vector<Evidence> evidence;
  if (grows)
    evidence.push_back(Fact("growth_outside", {Bytes(growth->first), Bytes(growth->last),
                                               Bytes(60 * growth->per_second)}));
  evidence.push_back(Fact("outside_allocator", {Bytes(outside)}));
  evidence.push_back(Fact("process_of_total", {Bytes(view.Last(Signal::kMemoryOwn)),
                                               Bytes(view.Last(Signal::kMemoryTotal))}));
  Finding finding = view.Make(grows ? 0.6 : 0.2, grows ? 0.85 : 0.7, std::move(evidence));
  finding.form = grows ? "grows" : "large";
  return finding;
}

}  // namespace gpusight::diagnose
