// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/fields.h"

#include <iterator>

namespace gpusight::nvml {
namespace {

using F = DeviceField;
using S = Source;

constexpr double kPercent = 0.01, kMilli = 1e-3, kMegahertz = 1e6, kNanoseconds = 1e-9;
constexpr double kMany = 1e18;  // counters
constexpr double kMostBytes = 1ull << 48;
constexpr double kMostWatts = 20e3, kMostHertz = 20e9, kMostRate = 1e13;
constexpr bool kAlso = true, kNotUnderMig = false;

// The GPM rows differ only in their field.
constexpr FieldRow Gpm(F field) {
  return {field,
          Lane::kFast,
          {{{S::kGpm, 0, kPercent}}},
          0,
          1,
          kAlso,
          "no GPM before Hopper, or the counters are taken by another profiler"};
}

// clang-format off
constexpr FieldRow kRows[] = {
    {F::kUtilization, Lane::kFast, {{{S::kUtilization, 0, kPercent}, {S::kDynamicPstates, 0, kPercent}}}, 0, 1, kNotUnderMig, "integrated part or WSL2"},
    {F::kUtilizationMean, Lane::kSlow, {{{S::kUtilizationRing, 0, 1}}}, 0, 1, kNotUnderMig, "driver keeps no samples"},
    {F::kUtilizationMax, Lane::kSlow, {{{S::kUtilizationRing, 0, 1}}}, 0, 1, kNotUnderMig, "driver keeps no samples"},
    {F::kIdleShare, Lane::kSlow, {{{S::kUtilizationRing, 0, 1}}}, 0, 1, kNotUnderMig, "driver keeps no samples"},
    {F::kMemoryActivity, Lane::kFast, {{{S::kUtilization, 1, kPercent}, {S::kDynamicPstates, 1, kPercent}}}, 0, 1, kNotUnderMig, "integrated part or WSL2"},
    {F::kEncoder, Lane::kFast, {{{S::kEncoder, 0, kPercent}}}, 0, 1, kNotUnderMig, "no encoder"},
    {F::kDecoder, Lane::kFast, {{{S::kDecoder, 0, kPercent}}}, 0, 1, kNotUnderMig, "no decoder"},
    {F::kJpeg, Lane::kFast, {{{S::kJpeg, 0, kPercent}}}, 0, 1, kNotUnderMig, "no JPEG engine"},
    {F::kOfa, Lane::kFast, {{{S::kOfa, 0, kPercent}}}, 0, 1, kNotUnderMig, "no optical flow engine"},
    {F::kGraphicsActivity, Lane::kSlow, {{{S::kGpmGraphics, 0, kPercent}}}, 0, 1, kAlso, "no GPM before Hopper"},
    Gpm(F::kSmActivity),
    Gpm(F::kSmOccupancy),
    Gpm(F::kTensorActivity),
    Gpm(F::kTensorHalf),
    Gpm(F::kTensorDouble),
    Gpm(F::kTensorInteger),
    Gpm(F::kFp64Activity),
    Gpm(F::kFp32Activity),
    Gpm(F::kFp16Activity),
    Gpm(F::kIntegerActivity),
    Gpm(F::kDramActivity),
    {F::kMemoryTotal, Lane::kFast, {{{S::kMemoryInfoV2, 0, 1}, {S::kMemoryInfoV1, 0, 1}}}, 0, kMostBytes, kAlso, "unified memory: the host's is shared"},
    {F::kMemoryUsed, Lane::kFast, {{{S::kMemoryInfoV2, 1, 1}, {S::kMemoryInfoV1, 1, 1}}}, 0, kMostBytes, kAlso, "unified memory: the host's is shared"},
    {F::kMemoryFree, Lane::kFast, {{{S::kMemoryInfoV2, 2, 1}, {S::kMemoryInfoV1, 2, 1}}}, 0, kMostBytes, kAlso, "unified memory: the host's is shared"},
    {F::kMemoryDriverReserved, Lane::kFast, {{{S::kMemoryInfoV2, 3, 1}}}, 0, kMostBytes, kAlso, "driver before R510: it is inside `used`"},
    {F::kMemoryProcesses, Lane::kFast, {{{S::kProcessList, 0, 1}}}, 0, kMostBytes, kAlso, "a process's share is hidden"},
    {F::kMemoryResidual, Lane::kFast, {{{S::kProcessList, 0, 1}}}, 0, kMostBytes, kAlso, "a process's share is hidden"},
    {F::kBar1Total, Lane::kSlow, {{{S::kBar1, 0, 1}}}, 0, kMostBytes, kAlso, "no such window"},
    {F::kBar1Used, Lane::kSlow, {{{S::kBar1, 1, 1}}}, 0, kMostBytes, kAlso, "no such window"},
    {F::kTemperature, Lane::kFast, {{{S::kTemperature, 0, 1}}}, -60, 200, kAlso, "no sensor, or a virtual GPU"},
    {F::kMemoryTemperature, Lane::kFast, {{{S::kMemoryTemperature, 0, 1}}}, 1, 200, kAlso, "no sensor in this memory"},
    {F::kTemperatureSlowdown, Lane::kStill, {{{S::kSlowdownTemperature, 0, 1}}}, 1, 200, kAlso, "only margins are given"},
    {F::kTemperatureShutdown, Lane::kStill, {{{S::kShutdownTemperature, 0, 1}}}, 1, 200, kAlso, "only margins are given"},
    {F::kTemperatureMargin, Lane::kSlow, {{{S::kTemperatureMargin, 0, 1}}}, -100, 200, kAlso, "driver too old, or no such sensor"},
    {F::kFan, Lane::kSlow, {{{S::kFan, 0, kPercent}}}, 0, 2, kAlso, "passively or water cooled"},
    {F::kPower, Lane::kFast, {{{S::kPower, 0, kMilli}, {S::kPowerInstant, 0, kMilli}}}, 0, kMostWatts, kAlso, "no power sensor"},
    {F::kPowerMean, Lane::kSlow, {{{S::kPowerRing, 0, 1}}}, 0, kMostWatts, kAlso, "driver keeps no samples"},
    {F::kPowerMax, Lane::kSlow, {{{S::kPowerRing, 0, 1}}}, 0, kMostWatts, kAlso, "driver keeps no samples"},
    {F::kPowerLimit, Lane::kFast, {{{S::kEnforcedLimit, 0, kMilli}, {S::kManagementLimit, 0, kMilli}}}, 0, kMostWatts, kAlso, "no power management"},
    {F::kPowerLimitDefault, Lane::kStill, {{{S::kDefaultLimit, 0, kMilli}}}, 0, kMostWatts, kAlso, "no power management"},
    {F::kPowerLimitMin, Lane::kStill, {{{S::kLimitRange, 0, kMilli}}}, 0, kMostWatts, kAlso, "the limit cannot be set"},
    {F::kPowerLimitMax, Lane::kStill, {{{S::kLimitRange, 1, kMilli}}}, 0, kMostWatts, kAlso, "the limit cannot be set"},
    {F::kEnergy, Lane::kSlow, {{{S::kEnergy, 0, kMilli}, {S::kEnergyField, 0, kMilli}}}, 0, kMany, kAlso, "no counter before Volta"},
    {F::kSmClock, Lane::kFast, {{{S::kSmClock, 0, kMegahertz}}}, 0, kMostHertz, kAlso, "hidden from a virtual machine"},
    {F::kSmClockMax, Lane::kStill, {{{S::kSmClockMax, 0, kMegahertz}}}, 0, kMostHertz, kAlso, "hidden from a virtual machine"},
    {F::kMemoryClock, Lane::kFast, {{{S::kMemoryClock, 0, kMegahertz}}}, 0, kMostHertz, kAlso, "hidden from a virtual machine"},
    {F::kMemoryClockMax, Lane::kStill, {{{S::kMemoryClockMax, 0, kMegahertz}}}, 0, kMostHertz, kAlso, "hidden from a virtual machine"},
    {F::kPerformanceState, Lane::kFast, {{{S::kPerformanceState, 0, 1}}}, 0, 15, kAlso, "integrated part"},
    {F::kClockEventReasons, Lane::kFast, {{{S::kEventReasons, 0, 1}, {S::kThrottleReasons, 0, 1}}}, 0, 65535, kAlso, "hidden from a virtual machine"},
    {F::kClockEventPowerCap, Lane::kSlow, {{{S::kEventTimes, 0, kNanoseconds}, {S::kViolationPower, 0, kNanoseconds}}}, 0, kMany, kAlso, "driver keeps no such counter"},
    {F::kClockEventSyncBoost, Lane::kSlow, {{{S::kEventTimes, 1, kNanoseconds}, {S::kViolationSyncBoost, 0, kNanoseconds}}}, 0, kMany, kAlso, "driver keeps no such counter"},
    {F::kClockEventSoftwareThermal, Lane::kSlow, {{{S::kEventTimes, 2, kNanoseconds}, {S::kViolationThermal, 0, kNanoseconds}}}, 0, kMany, kAlso, "driver keeps no such counter"},
    {F::kClockEventHardwareThermal, Lane::kSlow, {{{S::kEventTimesSlow, 0, kNanoseconds}}}, 0, kMany, kAlso, "driver keeps no such counter"},
    {F::kClockEventPowerBrake, Lane::kSlow, {{{S::kEventTimesSlow, 1, kNanoseconds}}}, 0, kMany, kAlso, "driver keeps no such counter"},
    {F::kPcieGeneration, Lane::kFast, {{{S::kPcieGeneration, 0, 1}}}, 1, 10, kAlso, "joined to the CPU by another link"},
    {F::kPcieGenerationMax, Lane::kOnce, {{{S::kPcieGenerationMax, 0, 1}}}, 1, 10, kAlso, "joined to the CPU by another link"},
    {F::kPcieWidth, Lane::kSlow, {{{S::kPcieWidth, 0, 1}}}, 1, 64, kAlso, "joined to the CPU by another link"},
    {F::kPcieWidthMax, Lane::kOnce, {{{S::kPcieWidthMax, 0, 1}}}, 1, 64, kAlso, "joined to the CPU by another link"},
    {F::kPcieReceive, Lane::kFast, {{{S::kGpm, 0, 1048576}, {S::kPcieThroughput, 0, 1024}}}, 0, kMostRate, kAlso, "joined to the CPU by another link"},
    {F::kPcieTransmit, Lane::kFast, {{{S::kGpm, 0, 1048576}, {S::kPcieThroughput, 0, 1024}}}, 0, kMostRate, kAlso, "joined to the CPU by another link"},
    {F::kPcieReplays, Lane::kSlow, {{{S::kPcieReplays, 0, 1}}}, 0, kMany, kAlso, "joined to the CPU by another link"},
    {F::kNvlinkLinks, Lane::kStill, {{{S::kNvlinkStates, 0, 1}}}, 0, 64, kAlso, "no NVLink"},
    {F::kNvlinkReceive, Lane::kFast, {{{S::kGpm, 0, 1048576}, {S::kNvlinkCounters, 0, 1024}}}, 0, kMostRate, kAlso, "no NVLink"},
    {F::kNvlinkTransmit, Lane::kFast, {{{S::kGpm, 0, 1048576}, {S::kNvlinkCounters, 0, 1024}}}, 0, kMostRate, kAlso, "no NVLink"},
    {F::kEccMode, Lane::kSlow, {{{S::kEccMode, 0, 1}}}, 0, 1, kAlso, "memory without error correction"},
    {F::kEccCorrected, Lane::kSlow, {{{S::kEccCorrected, 0, 1}}}, 0, kMany, kAlso, "error correction is off or missing"},
    {F::kEccUncorrected, Lane::kSlow, {{{S::kEccUncorrected, 0, 1}}}, 0, kMany, kAlso, "error correction is off or missing"},
    {F::kEccCorrectedLifetime, Lane::kSlow, {{{S::kEccCorrectedLifetime, 0, 1}}}, 0, kMany, kAlso, "error correction is off or missing"},
    {F::kEccUncorrectedLifetime, Lane::kSlow, {{{S::kEccUncorrectedLifetime, 0, 1}}}, 0, kMany, kAlso, "error correction is off or missing"},
    {F::kRemappedCorrectable, Lane::kSlow, {{{S::kRemappedRows, 0, 1}}}, 0, kMany, kAlso, "no row remapping before Ampere"},
    {F::kRemappedUncorrectable, Lane::kSlow, {{{S::kRemappedRows, 1, 1}}}, 0, kMany, kAlso, "no row remapping before Ampere"},
    {F::kRemapPending, Lane::kSlow, {{{S::kRemappedRows, 2, 1}}}, 0, 1, kAlso, "no row remapping before Ampere"},
    {F::kRemapFailed, Lane::kSlow, {{{S::kRemappedRows, 3, 1}}}, 0, 1, kAlso, "no row remapping before Ampere"},
    {F::kRetiredPages, Lane::kSlow, {{{S::kRetiredPages, 0, 1}}}, 0, kMany, kAlso, "rows are remapped instead"},
    {F::kXidErrors, Lane::kFast, {{{S::kEvents, 0, 1}}}, 0, kMany, kAlso, "events are not watched"},
    {F::kLastXid, Lane::kFast, {{{S::kEvents, 0, 1}}}, 0, kMany, kAlso, "none was seen yet"},
    {F::kPersistenceMode, Lane::kSlow, {{{S::kPersistenceMode, 0, 1}}}, 0, 1, kAlso, "not on this platform"},
    {F::kComputeMode, Lane::kSlow, {{{S::kComputeMode, 0, 1}}}, 0, 3, kAlso, "not on this platform"},
    {F::kMigMode, Lane::kOnce, {{{S::kMigMode, 0, 1}}}, 0, 1, kAlso, "cannot be divided"},
};
// clang-format on
static_assert(std::size(kRows) == static_cast<size_t>(F::kCount));

constexpr bool InOrder() {
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<size_t>(kRows[i].field) != i) return false;
  }
  return true;
}
static_assert(InOrder());

}  // namespace

std::span<const FieldRow> FieldRows() { return kRows; }
const FieldRow& RowOf(DeviceField field) { return kRows[static_cast<size_t>(field)]; }

}  // namespace gpusight::nvml
