// SPDX-License-Identifier: Apache-2.0
// F1: what the framework has allocated grows from step to step, beyond doubt and without slowing
// down.
#include "diagnose/rules/rules.h"

#include <algorithm>

#include "diagnose/statistics.h"

namespace gpusight::diagnose {
namespace {

std::optional<Finding> Growing(View& view) {
  if (!view.Needs({Signal::kAllocated})) return {};
  Window& w = view.window();
  // The first steps warm up: what they add is kept by design.
  const uint64_t first_steps = static_cast<uint64_t>(50 * std::min(1.0, 2 * w.scale()));
  std::vector<Sample> points;
  std::vector<double> values, rises;
  uint64_t steps_begin = 0, steps_end = 0;
  for (const memory::MemoryPoint& point : w.memory) {
    if (!point.allocated || point.phase == memory::OomPhase::kEvaluation) continue;
    if (w.subject.has_page && point.step.value_or(0) < first_steps) continue;
    if (points.empty()) steps_begin = point.step.value_or(0);
    steps_end = point.step.value_or(0);
    if (!values.empty()) rises.push_back(*point.allocated - values.back());
    points.push_back({point.seconds, *point.allocated});
    values.push_back(*point.allocated);
  }
  if (points.size() < 6) return {};
  const double seconds = points.back().x - points.front().x;
  const double steps = static_cast<double>(steps_end - steps_begin);
  const double ease = std::clamp(4 * w.scale(), 0.25, 1.0);
  if (seconds < 60 * w.scale() || (w.subject.has_page && !view.Is(steps / ease, Limit::kLeakSteps)))
    return {};
  const double least =
      std::max(view.At(Limit::kLeakGrowth), 0.02 * view.Last(Signal::kMemoryTotal));
  // Slopes cost; what has hardly grown needs none.
  if (!(*std::max_element(values.begin(), values.end()) - values.front() >= 0.5 * ease * least))
    return {};
  // The lowest of the end lies above what was usual at the beginning, and there is a trend.
  const size_t third = points.size() / 3;
  const double low = *std::min_element(values.end() - static_cast<ptrdiff_t>(third), values.end());
  const double usual =
      Median({values.begin(), values.begin() + static_cast<ptrdiff_t>(third)}).value_or(0);
  if (!(low > usual) || !(MannKendall(values) > 2.33)) return {};
  const double slope = TheilSen(points).value_or(0), growth = slope * seconds;
  if (!(growth >= ease * least)) return {};
  // It has not slowed down.
  const std::span<const Sample> course(points);
  const double late = TheilSen(course.subspan(points.size() / 2)).value_or(0);
  if (!(late >= 0.4 * slope)) return {};
  // Rare, large steps: from epoch to epoch.
  std::sort(rises.begin(), rises.end());
  double all = 0, largest = 0;
  for (size_t i = 0; i < rises.size(); ++i) {
    all += std::max(0.0, rises[i]);
    if (i >= rises.size() - rises.size() / 8) largest += std::max(0.0, rises[i]);
  }
  const bool stairs = rises.size() >= 16 && largest >= 0.8 * all;
  double room = view.Last(Signal::kMemoryTotal);
  if (const double limit = view.Last(Signal::kAllocatorLimit); limit > 0 && !(room <= limit))
    room = limit;
  const double left = (room - values.back()) / slope;
  std::vector<Evidence> evidence;
  const double first = values.back() - growth;
  if (steps > 0) {
    evidence.push_back(Fact("growth_per_step", {Bytes(std::max(first, 0.0)), Bytes(values.back()),
                                                Bytes(growth / steps), Count(steps)}));
  } else {
    evidence.push_back(Fact("growth_per_second", {Bytes(std::max(first, 0.0)), Bytes(values.back()),
                                                  Bytes(60 * slope)}));
  }
  if (stairs) evidence.push_back(Fact("leak_staircase"));
  if (!w.failure && left > 0 && left < 30 * 86400)
    evidence.push_back(Fact("out_of_memory_in", {Seconds(left)}));
  if (const double back = view.Last(Signal::kReserved) - view.Last(Signal::kAllocated) -
                          view.Last(Signal::kInactiveSplit);
      back >= 0) {
    evidence.push_back(Fact("empty_cache_gives", {Bytes(back)}));
  }
  Finding finding = view.Make(left < 600 ? 0.95 : 0.85, 0.9, std::move(evidence));
  finding.form = stairs ? "per_epoch" : "per_step";
  if (left > 0) finding.seconds_left = left;
  return finding;
}

// Where memory ran out before the course was long enough, the numbers of the failure decide.
std::optional<Finding> RanOut(View& view) {
  const Window& w = view.window();
  if (!w.failure || w.failure->verdict.cause != memory::OomClass::kLeak) return {};
  std::vector<Evidence> evidence;
  const memory::MemoryPoint* first = nullptr;
  for (const memory::MemoryPoint& point : w.memory) {
    if (first == nullptr && point.allocated && point.step.value_or(0) > 0) first = &point;
  }
  if (first != nullptr && w.memory.back().step.value_or(0) > *first->step) {
    const auto steps = static_cast<double>(*w.memory.back().step - *first->step);
    const double growth = w.failure->allocated - *first->allocated;
    if (growth > 0) {
      evidence.push_back(
          Fact("growth_per_step", {Bytes(*first->allocated), Bytes(w.failure->allocated),
                                   Bytes(growth / steps), Count(steps)}));
    }
  }
  evidence.push_back(
      Fact("wanted", {Bytes(w.failure->requested), Bytes(w.failure->free),
                      Bytes(std::max(0.0, w.failure->reserved - w.failure->allocated)),
                      Bytes(w.failure->others)}));
  Finding finding = view.Make(1, std::max(0.6, w.failure->verdict.confidence), std::move(evidence));
  finding.level = FindingLevel::kCritical;
  return finding;
}

}  // namespace

std::optional<Finding> MemoryLeak(View& view) {
  if (std::optional<Finding> finding = Growing(view)) return finding;
  return RanOut(view);
}

}  // namespace gpusight::diagnose
