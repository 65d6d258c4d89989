// SPDX-License-Identifier: Apache-2.0
// The metric catalogue: every number that gpusight knows, one row each. JSON, CSV, log fields,
// the screen's columns, the recording and Prometheus all take name, unit and meaning from here;
// docs/metrics.md is checked against it. To add a metric: one enumerator and one row in
// catalog.cc (same order), and one row where a probe fills it (for the card: probe/nvml/fields.cc).
// Next: frame.h.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/language.h"

namespace gpusight {

enum class Unit : uint8_t {
  kRatio,           // 0-1
  kBytes,           //
  kBytesPerSecond,  //
  kSeconds,         //
  kWatts,           //
  kJoules,          //
  kCelsius,         //
  kHertz,           //
  kCount,           // things
  kCores,           // CPU cores kept busy, 1 = one core
  kMask,            // bits, see the row's text
  kNumber,          // an ordinal such as a P-state or a PCIe generation
};

enum class Kind : uint8_t {
  kGauge,    // may go up and down
  kCounter,  // only grows, until the device or process starts anew
};

// Some of the fields of a scope.
template <typename Field>
using FieldMask = std::bitset<static_cast<size_t>(Field::kCount)>;

// Per device (a GPU or a MIG instance).
enum class DeviceField : uint8_t {
  // How busy
  kUtilization,
  kUtilizationMean,
  kUtilizationMax,
  kIdleShare,
  kMemoryActivity,
  kEncoder,
  kDecoder,
  kJpeg,
  kOfa,
  // GPM: how well used, over the interval between two frames
  kGraphicsActivity,
  kSmActivity,
  kSmOccupancy,
  kTensorActivity,
  kTensorHalf,
  kTensorDouble,
  kTensorInteger,
  kFp64Activity,
  kFp32Activity,
  kFp16Activity,
  kIntegerActivity,
  kDramActivity,
  // Memory
  kMemoryTotal,
  kMemoryUsed,
  kMemoryFree,
  kMemoryDriverReserved,
  kMemoryProcesses,
  kMemoryResidual,
  kBar1Total,
  kBar1Used,
  // Heat and power
  kTemperature,
  kMemoryTemperature,
  kTemperatureSlowdown,
  kTemperatureShutdown,
  kTemperatureMargin,
  kFan,
  kPower,
  kPowerMean,
  kPowerMax,
  kPowerLimit,
  kPowerLimitDefault,
  kPowerLimitMin,
  kPowerLimitMax,
  kEnergy,
  // Clocks
  kSmClock,
  kSmClockMax,
  kMemoryClock,
  kMemoryClockMax,
  kPerformanceState,
  kClockEventReasons,
  kClockEventPowerCap,
  kClockEventSyncBoost,
  kClockEventSoftwareThermal,
  kClockEventHardwareThermal,
  kClockEventPowerBrake,
  // Links
  kPcieGeneration,
  kPcieGenerationMax,
  kPcieWidth,
  kPcieWidthMax,
  kPcieReceive,
  kPcieTransmit,
  kPcieReplays,
  kNvlinkLinks,
  kNvlinkReceive,
  kNvlinkTransmit,
  // Health
  kEccMode,
  kEccCorrected,
  kEccUncorrected,
  kEccCorrectedLifetime,
  kEccUncorrectedLifetime,
  kRemappedCorrectable,
  kRemappedUncorrectable,
  kRemapPending,
  kRemapFailed,
  kRetiredPages,
  kXidErrors,
  kLastXid,
  // Modes
  kPersistenceMode,
  kComputeMode,
  kMigMode,
  kCount,
};

// Per process and device it uses.
enum class UseField : uint8_t { kMemory, kSm, kMemoryActivity, kEncoder, kDecoder, kCount };

// Per process, from the host.
enum class ProcessField : uint8_t {
  kCpu,        // cores since the last frame
  kCpuUser,    // seconds, total
  kCpuSystem,  // seconds, total
  kThreads,
  kRunningThreads,
  kBlockedThreads,
  kResident,
  kPrivate,
  kShared,
  kSwapped,
  kMinorFaults,
  kMajorFaults,
  kReadBytes,         // from storage
  kWrittenBytes,      // to storage
  kReadCallBytes,     // through read(2) and friends, cached or not
  kWrittenCallBytes,  //
  kReadCalls,
  kWriteCalls,
  kBlockIoDelay,
  kVoluntarySwitches,
  kInvoluntarySwitches,
  kChildren,
  kLoaderWorkers,
  kOpenFiles,
  kAllowedCpus,
  kCount,
};

// Per container (control group) that holds a process of interest, and for our own.
enum class ContainerField : uint8_t {
  kCpuQuota,  // cores
  kCpuUsage,  // seconds, total
  kThrottledPeriods,
  kPeriods,
  kThrottledTime,
  kCpusetCores,
  kMemoryCurrent,
  kMemoryPeak,
  kMemoryLimit,
  kMemorySwap,
  kOomKills,
  kPidsCurrent,
  kPidsLimit,
  kCpuPressure,
  kMemoryPressure,
  kIoPressure,
  kShmTotal,
  kShmUsed,
  kCount,
};

// The host, once.
enum class HostField : uint8_t {
  kCpus,
  kCpu,  // cores busy since the last frame
  kCpuIoWait,
  kLoad1,
  kMemoryTotal,
  kMemoryAvailable,
  kSwapTotal,
  kSwapUsed,
  kShmTotal,
  kShmUsed,
  kCpuPressure,
  kMemoryPressure,
  kIoPressure,
  kDiskRead,
  kDiskWritten,
  kDiskBusy,
  kNetworkReceive,
  kNetworkTransmit,
  kUptime,
  kCount,
};

// Per process with a telemetry page and device that its framework's allocator uses.
enum class AllocatorField : uint8_t {
  kAllocated,
  kAllocatedPeak,
  kReserved,
  kReservedPeak,
  kActive,
  kInactiveSplit,
  kRequested,
  kLimit,
  kRetries,
  kOutOfMemory,
  kCount,
};

// Per process with a telemetry page.
enum class FrameworkField : uint8_t { kSteps, kStepTime, kDataWait, kDataWaitRatio, kCount };

struct CatalogRow {
  std::string_view name;   // with its unit: "utilization_ratio"; the Prometheus name is
                           // "gpusight_<scope>_<name>" (+ "_total" for counters)
  std::string_view group;  // JSON object that holds it ("memory"), or "" for the top level
  std::string_view key;    // its key there ("used_bytes")
  std::string_view log;    // short name in `log --fields` ("util", "mem_used")
  Unit unit;
  Kind kind;
  Text label;    // a few words for a column or a legend
  Text meaning;  // one sentence
};

[[nodiscard]] const CatalogRow& Row(DeviceField field);
[[nodiscard]] const CatalogRow& Row(UseField field);
[[nodiscard]] const CatalogRow& Row(ProcessField field);
[[nodiscard]] const CatalogRow& Row(ContainerField field);
[[nodiscard]] const CatalogRow& Row(HostField field);
[[nodiscard]] const CatalogRow& Row(AllocatorField field);
[[nodiscard]] const CatalogRow& Row(FrameworkField field);

// All rows of one scope, in the enum's order.
[[nodiscard]] std::span<const CatalogRow> DeviceRows();
[[nodiscard]] std::span<const CatalogRow> UseRows();
[[nodiscard]] std::span<const CatalogRow> ProcessRows();
[[nodiscard]] std::span<const CatalogRow> ContainerRows();
[[nodiscard]] std::span<const CatalogRow> HostRows();
[[nodiscard]] std::span<const CatalogRow> AllocatorRows();
[[nodiscard]] std::span<const CatalogRow> FrameworkRows();

// The device field with that `name` or `log` name.
[[nodiscard]] std::optional<DeviceField> FindDeviceField(std::string_view name);

// "bytes", "ratio", …; the word in docs/metrics.md.
[[nodiscard]] const Text& UnitName(Unit unit);

// A value for people: 0.78 -> "78%", bytes -> "12.4GiB", hertz -> "1980MHz".
[[nodiscard]] std::string FormatValue(Unit unit, double value);

}  // namespace gpusight
