// SPDX-License-Identifier: Apache-2.0
// F1: what the framework has allocated grows from step to step, beyond doubt and without slowing
// down.
#include "diagnose/rules/rules.h"

#include <algorithm>

#include "diagnose/statistics.h"

namespace gpusight::diagnose {

std::optional<Finding> MemoryLeak(View& view) {
  if (!view.Needs({Signal::kAllocated})) return {};
  Window& w = view.window();
  const std::optional<memory::Growth>& growth = w.Growth();
  if (!growth || growth->what != memory::GrowthOf::kAllocated) return {};
  if (w.subject.has_page &&
      !view.Is(static_cast<double>(growth->steps) / std::min(1.0, 2 * w.scale()),
               Limit::kLeakSteps))
    return {};
  if (growth->seconds < 60 * w.scale()) return {};
  // What warms up slows down; what follows growing batches does not stay after the step.
  std::vector<Sample> early, late;
  std::vector<double> rises;
  for (size_t i = 0; i < w.memory.size(); ++i) {
    const memory::MemoryPoint& point = w.memory[i];
    if (!point.allocated) continue;
    (i < w.memory.size() / 2 ? early : late).push_back({point.seconds, *point.allocated});
    if (i > 0 && w.memory[i - 1].allocated)
      rises.push_back(*point.allocated - *w.memory[i - 1].allocated);
  }
  const double first = TheilSen(early).value_or(0), second = TheilSen(late).value_or(0);
  if (!(second > 0) || (first > 0 && second < 0.25 * first)) return {};
  // Rare, large steps: from epoch to epoch.
  std::sort(rises.begin(), rises.end());
  double all = 0, largest = 0;
  for (size_t i = 0; i < rises.size(); ++i) {
    all += std::max(0.0, rises[i]);
    if (i >= rises.size() - rises.size() / 8) largest += std::max(0.0, rises[i]);
  }
  const bool stairs = rises.size() >= 16 && largest >= 0.8 * all && !(MannKendall(rises) > 2);
  double room = view.Last(Signal::kMemoryTotal);
  if (const double limit = view.Last(Signal::kAllocatorLimit); limit > 0 && !(room <= limit))
    room = limit;
  const double left = growth->per_second > 0
                          ? (room - view.Last(Signal::kAllocated)) / growth->per_second
                          : kNotKnown;
  std::vector<Evidence> evidence;
  if (growth->per_step > 0) {
    evidence.push_back(
        Fact("growth_per_step", {Bytes(growth->first), Bytes(growth->last), Bytes(growth->per_step),
                                 Count(static_cast<double>(growth->steps))}));
  } else {
    evidence.push_back(Fact("growth_per_second", {Bytes(growth->first), Bytes(growth->last),
                                                  Bytes(60 * growth->per_second)}));
  }
  if (stairs) evidence.push_back(Fact("leak_staircase"));
  if (left > 0 && left < 30 * 86400) evidence.push_back(Fact("out_of_memory_in", {Seconds(left)}));
  if (const double back = view.Last(Signal::kReserved) - view.Last(Signal::kAllocated) -
                          view.Last(Signal::kInactiveSplit);
      back >= 0) {
    evidence.push_back(Fact("empty_cache_gives", {Bytes(back)}));
  }
  Finding finding = view.Make(left < 600    ? 0.95
                              : left < 3600 ? 0.8
                                            : 0.6,
                              0.9, std::move(evidence));
  finding.form = stairs ? "per_epoch" : "per_step";
  if (left > 0) finding.seconds_left = left;
  return finding;
}

}  // namespace gpusight::diagnose
