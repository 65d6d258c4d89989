// SPDX-License-Identifier: Apache-2.0
// A source is one call of the driver that gives up to five numbers. The table in fields.h says
// which number of which source fills a field; here is how each call is made. Adding a source: one
// enumerator and one row in sources.cc (same order). Next: fields.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "probe/nvml/driver.h"

namespace gpusight::nvml {

enum class Source : uint8_t {
  kUtilization,     // 0 GPU, 1 memory controller
  kDynamicPstates,  // 0 GPU, 1 memory controller
  kEncoder,
  kDecoder,
  kJpeg,
  kOfa,
  kBar1,  // 0 total, 1 used
  kTemperature,
  kMemoryTemperature,
  kSlowdownTemperature,
  kShutdownTemperature,
  kTemperatureMargin,
  kFan,
  kPower,
  kPowerInstant,
  kEnforcedLimit,
  kManagementLimit,
  kDefaultLimit,
  kLimitRange,  // 0 least, 1 greatest
  kEnergy,
  kEnergyField,
  kSmClock,
  kMemoryClock,
  kSmClockMax,
  kMemoryClockMax,
  kPerformanceState,
  kEventReasons,
  kThrottleReasons,  // the same under its older name
  kEventTimes,       // 0 power cap, 1 sync boost, 2 software thermal
  kEventTimesSlow,   // 0 hardware thermal, 1 power brake
  kViolationPower,
  kViolationSyncBoost,
  kViolationThermal,
  kPcieGeneration,
  kPcieWidth,
  kPcieGenerationMax,
  kPcieWidthMax,
  kPcieReplays,
  kNvlinkStates,  // number of links that are up
  kEccMode,
  kEccCorrected,
  kEccUncorrected,
  kEccCorrectedLifetime,
  kEccUncorrectedLifetime,
  kRemappedRows,  // 0 correctable, 1 uncorrectable, 2 pending, 3 failed
  kRetiredPages,
  kPersistenceMode,
  kComputeMode,
  kMigMode,
  // Not one call and one number: filled by the file named.
  kMemoryInfoV2,     // memory.cc
  kMemoryInfoV1,     // memory.cc
  kUtilizationRing,  // rings.cc
  kPowerRing,        // rings.cc
  kGpm,              // gpm.cc
  kGpmGraphics,      // gpm.cc: dear, so asked less often
  kPcieThroughput,   // link_rates.cc: waits 20 ms for each direction
  kNvlinkCounters,   // link_rates.cc
  kEvents,           // events.cc
  kProcessList,      // model/account.cc, from the process list
  kCount,
  kNone = kCount,
};
inline constexpr size_t kSources = static_cast<size_t>(Source::kCount);

// One number of an answer. The field calls answer each number with its own code.
struct Slot {
  Return code = kNotSupported;
  double value = 0;
};
using Slots = std::array<Slot, 4>;

// What the call costs on some driver; the figures are those of an H200. A quick look (pass.h) asks
// what is cheap, then what is costly while it has been quick, and never what is dear.
enum class Price : uint8_t {
  kCheap,   // microseconds, or what no look can do without
  kCostly,  // the first one in a process a third of a millisecond and more, the later ones little
  kDear,    // half a millisecond and more each time
  // Dear each time, but the first time cheaper than what it stands for: a quick look asks it, and
  // nothing else does. (The first utilisation costs 3 ms, and 2 more when the program ends.)
  kSubstitute,
};

struct SourceRow {
  Source source;
  std::string_view calls;                // the driver's name of the call, for documents
  void (*ask)(Driver&, Device, Slots&);  // null: filled by its own file
  Price price = Price::kCheap;
};

[[nodiscard]] const SourceRow& Row(Source source);

// The number in a field value, by the type that the driver named. NaN for a type unknown to us.
[[nodiscard]] double NumberOf(ValueType type, const Value& value);

}  // namespace gpusight::nvml
