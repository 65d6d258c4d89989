// SPDX-License-Identifier: Apache-2.0
// How the memory of a process went before it ran out: taken from frames, and what can be read from
// it: growth from step to step, and a peak in evaluation. Pure. Next: oom_facts.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "memory/oom_text.h"
#include "model/frame.h"

namespace gpusight::memory {

// One look. What is not known is nullopt.
struct MemoryPoint {
  double seconds = 0;  // any origin
  std::optional<uint64_t> step;
  std::optional<double> allocated, allocated_peak, reserved;
  std::optional<double> process;  // what the driver says it holds
  OomPhase phase = OomPhase::kUnknown;
};

// What a mark of a phase says: "eval" and "valid…" are evaluation, "train…" is training.
[[nodiscard]] OomPhase PhaseOf(std::string_view text);

// Of the process on the device that its framework calls `ordinal`, oldest first.
[[nodiscard]] std::vector<MemoryPoint> HistoryOf(std::span<const Frame> frames, int pid,
                                                 int ordinal);

enum class GrowthOf : uint8_t { kAllocated, kOutside };

// A steady rise.
struct Growth {
  GrowthOf what = GrowthOf::kAllocated;  // kOutside: of what the process holds beside its allocator
  double first = 0, last = 0;            // bytes, at both ends of the trend
  double per_step = 0;                   // bytes; 0 when steps are not known
  double per_second = 0;
  uint64_t steps = 0;
  double seconds = 0;
};

// The rise of what is allocated (else of what lies outside), when it is one beyond doubt: a
// Mann-Kendall test below 0.01, a lowest of the last third above the median of the first, and at
// least the larger of 256 MiB and 2 % of the capacity. Points in evaluation do not count.
[[nodiscard]] std::optional<Growth> FindGrowth(std::span<const MemoryPoint> points,
                                               double capacity);

// The most that was allocated in training and in evaluation.
struct EvaluationPeak {
  double training = 0, evaluation = 0;
};
// When both were seen and the last point is in evaluation.
[[nodiscard]] std::optional<EvaluationPeak> FindEvaluationPeak(std::span<const MemoryPoint> points);

}  // namespace gpusight::memory
