// SPDX-License-Identifier: Apache-2.0
// F3 before: what is in use at the peak comes near what there is.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> OomSoon(View& view) {
  if (!view.Needs({Signal::kReserved, Signal::kAllocatedPeak, Signal::kMemoryTotal})) return {};
  double total = view.Last(Signal::kMemoryTotal) - view.Or0(Signal::kMemoryOthers);
  if (const double limit = view.Last(Signal::kAllocatorLimit); limit > 0 && limit < total)
    total = limit;
  const double reserved = view.Most(Signal::kReserved), peak = view.Most(Signal::kAllocatedPeak);
  // A cache that grew once is no want of memory: what was in use counts, too.
  if (!view.Is(reserved / total, Limit::kOomWarn) || !(peak >= 0.85 * total)) return {};
  const double retries = view.Last(Signal::kRetries) - view.window().first_retries;
  std::vector<Evidence> evidence = {Fact("peak_of_total", {Bytes(peak), Bytes(total)}),
                                    Fact("reserved_of_total", {Bytes(reserved), Bytes(total)})};
  if (retries > 0) evidence.push_back(Fact("retries", {Count(retries)}));
  const bool critical = view.Is(reserved / total, Limit::kOomCritical);
  Finding finding = view.Make(critical ? 0.8 : 0.3, 0.85, std::move(evidence));
  finding.form = "too_big";
  return finding;
}

}  // namespace gpusight::diagnose
