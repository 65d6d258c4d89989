// SPDX-License-Identifier: Apache-2.0
// Every threshold of every rule, in one table, with its unit and which way it works. Starting
// values are those of the literature; where a measurement on the card changed one, thresholds.cc
// says so. `why --limit NAME=VALUE` and the configuration file change them. Next: rule.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/language.h"
#include "model/catalog.h"

namespace gpusight::diagnose {

enum class Limit : uint8_t {
  kIdleWarn,
  kIdleCritical,
  kWarmupSteps,
  kWarmupSeconds,
  kDataWait,
  kMainBusy,
  kLoaderStack,
  kCoresFree,
  kWorkerBusy,
  kMainAsleep,
  kSlowWorker,
  kCoresFull,
  kThrottled,
  kThrottledTime,
  kOversubscribed,
  kCpuPressure,
  kDiskBlocked,
  kIoPressure,
  kFromStorage,
  kWorkerAsleep,
  kRemoteAsleep,
  kStorageQuiet,
  kNetworkBusy,
  kRestartShare,
  kShmFull,
  kShmSmall,
  kCopyRate,
  kCopyShare,
  kCopyLoss,
  kLinkFull,
  kLinkSm,
  kLinkTraffic,
  kLaunchCpu,
  kLaunchSm,
  kLaunchDram,
  kLaunchPower,
  kLaunchGap,
  kLaunchLink,
  kSyncIdle,
  kSyncTop,
  kBatchSm,
  kBatchOccupancy,
  kBatchMemory,
  kBatchMemoryFull,
  kCompileShare,
  kCompileStack,
  kGilThreads,
  kGilCpu,
  kTensorSm,
  kTensorUnused,
  kTensorFp32,
  kTensorDram,
  kDramBound,
  kComputeTensor,
  kComputeSm,
  kHealthySm,
  kHealthyIdle,
  kHealthyPower,
  kPhaseShare,
  kPhaseCritical,
  kEvaluationShare,
  kSlowStart,
  kSlowStartCritical,
  kNoStep,
  kNoStepMedians,
  kIdleHolder,
  kStraggler,
  kCommShare,
  kLeakSteps,
  kLeakGrowth,
  kOutsideGrowth,
  kFragmentReserved,
  kFragmentFree,
  kFragmentSplit,
  kFragmentFull,
  kOomWarn,
  kOomCritical,
  kHostLeakRate,
  kHostLeakLeast,
  kHostFull,
  kMemoryPressure,
  kMajorFaults,
  kNeighbourMemory,
  kNeighbourSm,
  kNeighbourHidden,
  kPreallocated,
  kCapShare,
  kCapClock,
  kCapHealthy,
  kCapHardware,
  kSlowdownShare,
  kPinnedClock,
  kRemappedRows,
  kCount,
};
inline constexpr size_t kLimits = static_cast<size_t>(Limit::kCount);

struct LimitRow {
  std::string_view name;
  double value;
  Unit unit;
  bool at_least;  // a value at or above it counts; else one at or below it
  Text meaning;
};
[[nodiscard]] std::span<const LimitRow> LimitRows();
[[nodiscard]] std::optional<Limit> FindLimit(std::string_view name);

class Thresholds {
 public:
  Thresholds();
  double operator[](Limit limit) const { return values_[static_cast<size_t>(limit)]; }
  void Set(Limit limit, double value) { values_[static_cast<size_t>(limit)] = value; }

 private:
  std::array<double, kLimits> values_;
};

}  // namespace gpusight::diagnose
