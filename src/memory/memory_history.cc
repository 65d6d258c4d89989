// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_history.h"

#include <algorithm>
#include <cmath>

namespace gpusight::memory {
namespace {

constexpr double kMiB = 1048576;
constexpr size_t kFewestPoints = 7;  // fewer cannot pass the test below
// In the first steps gradients, the optimizer's state and workspaces come: every job grows then.
constexpr uint64_t kFewestSteps = 8;
constexpr size_t kMostPoints = 400;  // pairs are compared

struct Sample {
  double x = 0, y = 0;
};

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Theil and Sen: the median of all slopes.
double Slope(std::span<const Sample> samples) {
  std::vector<double> slopes;
  for (size_t i = 0; i < samples.size(); ++i) {
    for (size_t j = i + 1; j < samples.size(); ++j) {
      const double dx = samples[j].x - samples[i].x;
      if (dx > 0) slopes.push_back((samples[j].y - samples[i].y) / dx);
    }
  }
  return slopes.empty() ? 0 : Median(std::move(slopes));
}

// Mann and Kendall, one-sided at 1 %, without ties counted apart: z above 2.33.
bool Rises(std::span<const Sample> samples) {
  double s = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    for (size_t j = i + 1; j < samples.size(); ++j) {
      s += samples[j].y > samples[i].y ? 1 : samples[j].y < samples[i].y ? -1 : 0;
    }
  }
  const auto n = static_cast<double>(samples.size());
  const double deviation = std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
  return deviation > 0 && (s - 1) / deviation > 2.33;
}

// The lowest of each of a few hundred stretches: what is held between steps, not within them.
std::vector<Sample> Floors(const std::vector<Sample>& samples) {
  if (samples.size() <= kMostPoints) return samples;
  std::vector<Sample> out;
  for (size_t k = 0; k < kMostPoints; ++k) {
    const size_t begin = k * samples.size() / kMostPoints;
    const size_t end = (k + 1) * samples.size() / kMostPoints;
    out.push_back(*std::min_element(samples.begin() + static_cast<ptrdiff_t>(begin),
                                    samples.begin() + static_cast<ptrdiff_t>(end),
                                    [](const Sample& a, const Sample& b) { return a.y < b.y; }));
  }
  return out;
}

// Its rise, if it is one; x is time.
std::optional<Growth> GrowthIn(const std::vector<Sample>& all, double capacity) {
  if (all.size() < kFewestPoints) return std::nullopt;
  // The start, with its warming up, tells nothing.
  const size_t skip = all.size() >= 4 * kFewestPoints ? all.size() / 10 : 0;
  const std::vector<Sample> samples =
      Floors({all.begin() + static_cast<ptrdiff_t>(skip), all.end()});
  const size_t third = samples.size() / 3;
  std::vector<double> head, tail;
  for (size_t i = 0; i < third; ++i) {
    head.push_back(samples[i].y);
    tail.push_back(samples[samples.size() - 1 - i].y);
  }
  if (*std::min_element(tail.begin(), tail.end()) <= Median(head)) return std::nullopt;
  const double slope = Slope(samples);
  Growth growth;
  growth.seconds = samples.back().x - samples.front().x;
  const double rise = slope * growth.seconds;
  if (rise < std::max(256 * kMiB, 0.02 * capacity) || !Rises(samples)) return std::nullopt;
  // The trend may leave what was seen at both ends: not every rise is a straight one.
  const auto [least, most] = std::minmax_element(
      samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.y < b.y; });
  growth.last = std::min(Median(tail) + slope * growth.seconds / 6, most->y);
  growth.first = std::max(growth.last - rise, least->y);
  growth.per_second = (growth.last - growth.first) / growth.seconds;
  return growth;
}

}  // namespace

OomPhase PhaseOf(std::string_view text) {
  if (text.find("eval") != std::string_view::npos || text.find("valid") != std::string_view::npos) {
    return OomPhase::kEvaluation;
  }
  return text.find("train") != std::string_view::npos ? OomPhase::kTraining : OomPhase::kUnknown;
}

std::vector<MemoryPoint> HistoryOf(std::span<const Frame> frames, int pid, int ordinal) {
  std::vector<MemoryPoint> out;
  OomPhase phase = OomPhase::kUnknown;
  for (const Frame& frame : frames) {
    const auto framework =
        std::find_if(frame.frameworks.begin(), frame.frameworks.end(),
                     [pid](const FrameworkSample& sample) { return sample.pid == pid; });
    if (framework == frame.frameworks.end()) continue;
    for (const Mark& mark : framework->marks) {
      if (mark.type == MarkType::kPhase) phase = PhaseOf(mark.text);
    }
    const auto allocator =
        std::find_if(framework->allocators.begin(), framework->allocators.end(),
                     [ordinal](const AllocatorSample& a) { return a.ordinal == ordinal; });
    if (allocator == framework->allocators.end()) continue;
    const auto field = [&](AllocatorField f) -> std::optional<double> {
      const Known<double>& value = allocator->fields[f];
      return value ? std::optional(*value) : std::nullopt;
    };
    MemoryPoint point;
    point.seconds = frame.time.seconds();
    point.phase = phase;
    const Known<double>& steps = framework->fields[FrameworkField::kSteps];
    if (steps && *steps >= 0) point.step = static_cast<uint64_t>(*steps);
    point.allocated = field(AllocatorField::kAllocated);
    point.allocated_peak = field(AllocatorField::kAllocatedPeak);
    point.reserved = field(AllocatorField::kReserved);
    for (const ProcessSample& process : frame.processes) {
      if (process.pid != pid) continue;
      for (const GpuUse& use : process.uses) {
        const Known<double>& memory = use.fields[UseField::kMemory];
        if (use.device == allocator->device && memory) point.process = *memory;
      }
    }
    out.push_back(point);
  }
  return out;
}

std::optional<Growth> FindGrowth(std::span<const MemoryPoint> points, double capacity) {
  std::vector<Sample> allocated, outside;
  std::optional<uint64_t> first_step, last_step;
  for (const MemoryPoint& point : points) {
    if (point.phase == OomPhase::kEvaluation) continue;
    if (point.allocated) allocated.push_back({point.seconds, *point.allocated});
    if (point.process && point.reserved) {
      outside.push_back({point.seconds, *point.process - *point.reserved});
    }
    if (point.step && !first_step) first_step = point.step;
    if (point.step) last_step = point.step;
  }
  if (first_step && *last_step > *first_step && *last_step - *first_step < kFewestSteps) {
    return std::nullopt;
  }
  std::optional<Growth> growth = GrowthIn(allocated, capacity);
  if (!growth) {
    growth = GrowthIn(outside, capacity);
    if (growth) growth->what = GrowthOf::kOutside;
  }
  if (growth && first_step && *last_step > *first_step) {
    growth->steps = *last_step - *first_step;
    growth->per_step = (growth->last - growth->first) / static_cast<double>(growth->steps);
  }
  return growth;
}

std::optional<EvaluationPeak> FindEvaluationPeak(std::span<const MemoryPoint> points) {
  if (points.empty() || points.back().phase != OomPhase::kEvaluation) return std::nullopt;
  EvaluationPeak peak;
  bool training = false;
  for (const MemoryPoint& point : points) {
    if (!point.allocated) continue;
    double& most = point.phase == OomPhase::kEvaluation ? peak.evaluation : peak.training;
    training = training || point.phase != OomPhase::kEvaluation;
    // A peak since the start says nothing of the phase, so that only what was seen counts.
    most = std::max(most, *point.allocated);
  }
  return training ? std::optional(peak) : std::nullopt;
}

}  // namespace gpusight::memory
