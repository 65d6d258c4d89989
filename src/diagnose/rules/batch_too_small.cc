// SPDX-License-Identifier: Apache-2.0
// C3: the device is busy, but few multiprocessors and fewer warps are, and memory is free for more.
// Where memory is full instead, it caps the batch.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> BatchTooSmall(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kSmActive, Signal::kOccupancy, Signal::kMemoryTotal,
                   Signal::kMemoryUsed}) ||
      !view.WarmedUp())
    return {};
  if (!view.Is(Signal::kSmActive, Limit::kBatchSm) ||
      !view.Is(Signal::kOccupancy, Limit::kBatchOccupancy))
    return {};
  if (!(view.Idle() <= view.At(Limit::kIdleCritical))) return {};
  if (view.window().subject.has_page && view.Now(Signal::kSteps) <= 0) return {};
  // What an evaluation or a save does is another rule's.
  if (view.Now(Signal::kStackEvaluation) >= 0.2 || view.Now(Signal::kStackCheckpoint) >= 0.2)
    return {};
  const double total = view.Now(Signal::kMemoryTotal);
  double peak = view.Most(Signal::kAllocatedPeak);
  if (std::isnan(peak)) peak = view.Most(Signal::kMemoryUsed);
  const double sm = view.Now(Signal::kSmActive);
  const bool capped = view.Is(peak / total, Limit::kBatchMemoryFull);
  if (!capped && !view.Is(peak / total, Limit::kBatchMemory)) return {};
  std::vector<Evidence> evidence = {Fact("sm_active", {Ratio(sm)}),
                                    Fact("occupancy", {Ratio(view.Now(Signal::kOccupancy))})};
  if (capped) evidence.push_back(Fact("memory_caps_batch", {Bytes(peak), Bytes(total)}));
  if (!capped) evidence.push_back(Fact("peak_of_total", {Bytes(peak), Bytes(total)}));
  if (!std::isnan(view.Now(Signal::kTensor)))
    evidence.push_back(Fact("tensor_active", {Ratio(view.Now(Signal::kTensor))}));
  Finding finding = view.Make(0.6 * (1 - sm), 0.7, std::move(evidence));
  if (capped) finding.form = "memory_limited";
  return finding;
}

}  // namespace gpusight::diagnose
