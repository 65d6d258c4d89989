// SPDX-License-Identifier: Apache-2.0
// F2: much is reserved, a good part of it is not in use even at the peak, and it cannot go back:
// split blocks, or allocations that had to be tried again.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> Fragmentation(View& view) {
  if (!view.Needs({Signal::kReserved, Signal::kAllocated, Signal::kMemoryTotal})) return {};
  view.Wants({Signal::kInactiveSplit, Signal::kRetries});
  double total = view.Last(Signal::kMemoryTotal);
  if (const double limit = view.Last(Signal::kAllocatorLimit); limit > 0 && limit < total)
    total = limit;
  const double reserved = view.Most(Signal::kReserved);
  double peak = view.Most(Signal::kAllocatedPeak);
  if (!(peak <= reserved)) peak = view.Most(Signal::kAllocated);
  const double split = view.Most(Signal::kInactiveSplit);
  const double retries = view.Last(Signal::kRetries) - view.window().first_retries;
  const bool stuck = view.Is(split / total, Limit::kFragmentSplit);
  const bool tried = retries >= 2;
  // A cache that has reached the end of the card grows no further: what is free in it does not fit.
  const bool full = view.Is(reserved / total, Limit::kFragmentFull);
  if (!view.Is(reserved / total, Limit::kFragmentReserved) || !(stuck || tried || full)) return {};
  // Free at this moment counts where it was tried again: the peak of the step was what failed.
  const double free = (reserved - peak) / reserved;
  const double free_now = (reserved - view.Now(Signal::kAllocated)) / reserved;
  if (!view.Is(free, Limit::kFragmentFree) && !(tried && free_now >= 0.1 && split >= 0.05 * total))
    return {};
  std::vector<Evidence> evidence = {
      Fact("reserved_in_use", {Bytes(reserved), Bytes(view.Now(Signal::kAllocated))})};
  if (split > 0) evidence.push_back(Fact("stuck", {Bytes(split)}));
  if (tried) evidence.push_back(Fact("retries", {Count(retries)}));
  if (const double back = view.Last(Signal::kReserved) - view.Last(Signal::kAllocated) -
                          view.Last(Signal::kInactiveSplit);
      back >= 0) {
    evidence.push_back(Fact("empty_cache_gives", {Bytes(back)}));
  }
  Finding finding =
      view.Make(tried || full ? 0.8 : 0.4, 0.65 + 0.1 * stuck + 0.1 * tried, std::move(evidence));
  if (tried) finding.level = FindingLevel::kCritical;
  return finding;
}

}  // namespace gpusight::diagnose
