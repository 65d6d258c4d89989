// SPDX-License-Identifier: Apache-2.0
// The signals that rules look at: one number each for a job's process on its device, per tick.
// Their names stand in text cases, in the list of what was missing, and in docs/diagnosis.md. To
// add one: an enumerator and a row in signal.cc (same order), and a line in collector.cc that fills
// it. Next: window.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "base/language.h"
#include "model/catalog.h"

namespace gpusight::diagnose {

enum class Signal : uint8_t {
  // The card
  kIdle,
  kGapShare,
  kSmActive,
  kOccupancy,
  kTensor,
  kFp32,
  kFp64,
  kDram,
  kPcieReceive,
  kPcieTransmit,
  kNvlink,
  kPower,
  kPowerLimit,
  kPowerLimitDefault,
  kSmClock,
  kSmClockMax,
  kTemperature,
  kTemperatureSlowdown,
  kPowerCap,
  kSlowdown,
  kClockLocked,
  kLinkGeneration,
  kLinkGenerationMax,
  kLinkWidth,
  kLinkWidthMax,
  kMemoryTotal,
  kMemoryUsed,
  kMemoryOwn,
  kMemoryOthers,
  kMemoryHidden,
  kSmOwn,
  kSmOthers,
  kEccUncorrected,
  kRemapPending,
  kRemapFailed,
  kRemappedRows,
  kXid,
  // The host
  kMainCpu,
  kMainRunning,
  kMainBlocked,
  kMainInvoluntary,
  kThreads,
  kWorkers,
  kWorkerCpu,
  kWorkerCpuMost,
  kWorkerBlocked,
  kTreeCpu,
  kTreeRunning,
  kCores,
  kCoresVisible,
  kQuota,
  kThrottled,
  kThrottledTime,
  kCpuPressure,
  kIoPressure,
  kMemoryPressure,
  kReadRate,
  kReadCallRate,
  kReadCalls,
  kWriteRate,
  kMajorFaults,
  kNetworkReceive,
  kShmTotal,
  kShmUsed,
  kHostMemory,
  kHostLimit,
  kOomKills,
  kMainPrivate,
  kWorkerPrivate,
  kCompilers,
  kRemoteMount,
  kWorkersReplaced,
  // The framework
  kSteps,
  kStepTime,
  kDataWait,
  kAllocated,
  kAllocatedPeak,
  kReserved,
  kInactiveSplit,
  kRetries,
  kAllocatorLimit,
  kStackData,
  kStackWorkerWait,
  kStackCompile,
  kStackCheckpoint,
  kStackEvaluation,
  kStackCollective,
  kStackDispatch,
  kStackTop,
  kCount,
};
inline constexpr size_t kSignals = static_cast<size_t>(Signal::kCount);

struct SignalRow {
  std::string_view name;
  Unit unit;
  Text meaning;
};
[[nodiscard]] const SignalRow& Row(Signal signal);
[[nodiscard]] std::optional<Signal> FindSignal(std::string_view name);

// What is not known is not a number, so that no comparison with it holds: a rule abstains.
inline constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

// All signals over one interval.
struct Tick {
  double time = 0;     // seconds, at its end; any origin, never back
  double seconds = 1;  // that it stands for
  std::array<double, kSignals> values;
  Tick() { values.fill(kNotKnown); }
  double& operator[](Signal s) { return values[static_cast<size_t>(s)]; }
  double operator[](Signal s) const { return values[static_cast<size_t>(s)]; }
};

}  // namespace gpusight::diagnose
