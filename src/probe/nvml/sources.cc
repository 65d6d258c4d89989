// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/sources.h"

#include <cmath>
#include <iterator>
#include <limits>

namespace gpusight::nvml {
namespace {

// (Device, unsigned*)
template <auto kCall>
void One(Driver& driver, Device device, Slots& slots) {
  unsigned value = 0;
  slots[0].code = driver.Ask(kCall, device, &value);
  slots[0].value = value;
}

// (Device, unsigned long long*)
template <auto kCall>
void OneLong(Driver& driver, Device device, Slots& slots) {
  unsigned long long value = 0;
  slots[0].code = driver.Ask(kCall, device, &value);
  slots[0].value = static_cast<double>(value);
}

// (Device, unsigned*, unsigned*)
template <auto kCall>
void Two(Driver& driver, Device device, Slots& slots) {
  unsigned first = 0, second = 0;
  slots[0].code = slots[1].code = driver.Ask(kCall, device, &first, &second);
  slots[0].value = first;
  slots[1].value = second;
}

// (Device, unsigned which, unsigned*)
template <auto kCall, unsigned kWhich>
void Which(Driver& driver, Device device, Slots& slots) {
  unsigned value = 0;
  slots[0].code = driver.Ask(kCall, device, kWhich, &value);
  slots[0].value = value;
}

// nvmlDeviceGetTotalEccErrors with type (0 corrected, 1 not) and span (0 since load, 1 lifetime).
template <unsigned kType, unsigned kSpan>
void Ecc(Driver& driver, Device device, Slots& slots) {
  unsigned long long value = 0;
  slots[0].code = driver.Ask(&Calls::nvmlDeviceGetTotalEccErrors, device, kType, kSpan, &value);
  slots[0].value = static_cast<double>(value);
}

template <unsigned kPolicy>
void Violation(Driver& driver, Device device, Slots& slots) {
  ViolationTime time{};
  slots[0].code = driver.Ask(&Calls::nvmlDeviceGetViolationStatus, device, kPolicy, &time);
  slots[0].value = static_cast<double>(time.violation_ns);
}

// Several values in one call. The driver may call it a success and yet leave single entries, or
// just their return code, unwritten: hence the impossible code beforehand.
template <uint32_t... kFields>
void Fields(Driver& driver, Device device, Slots& slots) {
  constexpr auto kUnwritten = static_cast<Return>(-1);
  std::array<FieldValue, sizeof...(kFields)> values{};
  size_t n = 0;
  ((values[n].field = kFields, values[n].result = kUnwritten, ++n), ...);
  const Return code = driver.Ask(&Calls::nvmlDeviceGetFieldValues, device,
                                 static_cast<int>(values.size()), values.data());
  for (size_t i = 0; i < values.size(); ++i) {
    const Return own = values[i].result == kUnwritten ? kNotSupported : values[i].result;
    slots[i].code = code != kSuccess ? code : own;
    slots[i].value = NumberOf(values[i].type, values[i].value);
  }
}

void AskUtilization(Driver& driver, Device device, Slots& slots) {
  Utilization rates{};
  const Return code = driver.Ask(&Calls::nvmlDeviceGetUtilizationRates, device, &rates);
  slots[0] = {code, static_cast<double>(rates.gpu)};
  slots[1] = {code, static_cast<double>(rates.memory)};
}

void AskDynamicPstates(Driver& driver, Device device, Slots& slots) {
  DynamicPstates info{};
  const Return code = driver.Ask(&Calls::nvmlDeviceGetDynamicPstatesInfo, device, &info);
  for (size_t i = 0; i < 2; ++i) {
    const auto& domain = info.domains[i];
    slots[i] = {code == kSuccess && domain.present == 0 ? kNotSupported : code,
                static_cast<double>(domain.percent)};
  }
}

void AskBar1(Driver& driver, Device device, Slots& slots) {
  Bar1Memory memory{};
  const Return code = driver.Ask(&Calls::nvmlDeviceGetBAR1MemoryInfo, device, &memory);
  slots[0] = {code, static_cast<double>(memory.total)};
  slots[1] = {code, static_cast<double>(memory.used)};
}

void AskMargin(Driver& driver, Device device, Slots& slots) {
  MarginTemperature margin{kMarginTemperatureVersion, 0};
  slots[0].code = driver.Ask(&Calls::nvmlDeviceGetMarginTemperature, device, &margin);
  slots[0].value = margin.margin;
}

void AskPerformanceState(Driver& driver, Device device, Slots& slots) {
  constexpr unsigned kUnknownState = 32;
  unsigned state = kUnknownState;
  slots[0].code = driver.Ask(&Calls::nvmlDeviceGetPerformanceState, device, &state);
  if (slots[0].code == kSuccess && state == kUnknownState) slots[0].code = kNoData;
  slots[0].value = state;
}

void AskNvlinks(Driver& driver, Device device, Slots& slots) {
  constexpr unsigned kMostLinks = 18;
  unsigned up = 0;
  for (unsigned link = 0; link < kMostLinks; ++link) {
    unsigned active = 0;
    const Return code = driver.Ask(&Calls::nvmlDeviceGetNvLinkState, device, link, &active);
    if (code != kSuccess) {
      if (link == 0) slots[0].code = code;
      break;  // past the last link
    }
    slots[0].code = kSuccess;
    up += active != 0 ? 1 : 0;
  }
  slots[0].value = up;
}

void AskRemappedRows(Driver& driver, Device device, Slots& slots) {
  unsigned correctable = 0, uncorrectable = 0, pending = 0, failed = 0;
  const Return code = driver.Ask(&Calls::nvmlDeviceGetRemappedRows, device, &correctable,
                                 &uncorrectable, &pending, &failed);
  const unsigned values[] = {correctable, uncorrectable, pending, failed};
  for (size_t i = 0; i < std::size(values); ++i) {
    slots[i] = {code, static_cast<double>(values[i])};
  }
}

void AskRetiredPages(Driver& driver, Device device, Slots& slots) {
  double pages = 0;
  for (const unsigned cause : {0U, 1U}) {  // several single-bit errors, a double-bit error
    unsigned count = 0;
    Return code = driver.Ask(&Calls::nvmlDeviceGetRetiredPages, device, cause, &count,
                             static_cast<unsigned long long*>(nullptr));
    if (code == kInsufficientSize) code = kSuccess;  // we only want the count
    slots[0].code = code;
    if (code != kSuccess) return;
    pages += count;
  }
  slots[0].value = pages;
}

using C = Calls;
constexpr unsigned kClockSm = 1, kClockMemory = 2, kSensorGpu = 0;
constexpr unsigned kThresholdShutdown = 0, kThresholdSlowdown = 1;
constexpr unsigned kPolicyPower = 0, kPolicyThermal = 1, kPolicySyncBoost = 2;

// clang-format off
constexpr SourceRow kRows[] = {
    {Source::kUtilization, "nvmlDeviceGetUtilizationRates", AskUtilization, Price::kCostly},
    {Source::kDynamicPstates, "nvmlDeviceGetDynamicPstatesInfo", AskDynamicPstates, Price::kSubstitute},
    {Source::kEncoder, "nvmlDeviceGetEncoderUtilization", Two<&C::nvmlDeviceGetEncoderUtilization>, Price::kCostly},
    {Source::kDecoder, "nvmlDeviceGetDecoderUtilization", Two<&C::nvmlDeviceGetDecoderUtilization>, Price::kCostly},
    {Source::kJpeg, "nvmlDeviceGetJpgUtilization", Two<&C::nvmlDeviceGetJpgUtilization>, Price::kCostly},
    {Source::kOfa, "nvmlDeviceGetOfaUtilization", Two<&C::nvmlDeviceGetOfaUtilization>, Price::kCostly},
    {Source::kBar1, "nvmlDeviceGetBAR1MemoryInfo", AskBar1, Price::kCostly},
    {Source::kTemperature, "nvmlDeviceGetTemperature", Which<&C::nvmlDeviceGetTemperature, kSensorGpu>, Price::kCostly},
    {Source::kMemoryTemperature, "nvmlDeviceGetFieldValues 82", Fields<kFieldMemoryTemperature>, Price::kCostly},
    {Source::kSlowdownTemperature, "nvmlDeviceGetTemperatureThreshold slowdown", Which<&C::nvmlDeviceGetTemperatureThreshold, kThresholdSlowdown>, Price::kDear},
    {Source::kShutdownTemperature, "nvmlDeviceGetTemperatureThreshold shutdown", Which<&C::nvmlDeviceGetTemperatureThreshold, kThresholdShutdown>, Price::kDear},
    {Source::kTemperatureMargin, "nvmlDeviceGetMarginTemperature", AskMargin, Price::kDear},
    {Source::kFan, "nvmlDeviceGetFanSpeed", One<&C::nvmlDeviceGetFanSpeed>, Price::kCostly},
    {Source::kPower, "nvmlDeviceGetPowerUsage", One<&C::nvmlDeviceGetPowerUsage>, Price::kCostly},
    {Source::kPowerInstant, "nvmlDeviceGetFieldValues 186", Fields<kFieldPowerInstant>, Price::kCostly},
    {Source::kEnforcedLimit, "nvmlDeviceGetEnforcedPowerLimit", One<&C::nvmlDeviceGetEnforcedPowerLimit>, Price::kCostly},
    {Source::kManagementLimit, "nvmlDeviceGetPowerManagementLimit", One<&C::nvmlDeviceGetPowerManagementLimit>, Price::kCostly},
    {Source::kDefaultLimit, "nvmlDeviceGetPowerManagementDefaultLimit", One<&C::nvmlDeviceGetPowerManagementDefaultLimit>, Price::kCostly},
    {Source::kLimitRange, "nvmlDeviceGetPowerManagementLimitConstraints", Two<&C::nvmlDeviceGetPowerManagementLimitConstraints>, Price::kCostly},
    {Source::kEnergy, "nvmlDeviceGetTotalEnergyConsumption", OneLong<&C::nvmlDeviceGetTotalEnergyConsumption>, Price::kDear},
    {Source::kEnergyField, "nvmlDeviceGetFieldValues 83", Fields<kFieldTotalEnergy>, Price::kDear},
    {Source::kSmClock, "nvmlDeviceGetClockInfo SM", Which<&C::nvmlDeviceGetClockInfo, kClockSm>, Price::kCostly},
    {Source::kMemoryClock, "nvmlDeviceGetClockInfo memory", Which<&C::nvmlDeviceGetClockInfo, kClockMemory>, Price::kCostly},
    {Source::kSmClockMax, "nvmlDeviceGetMaxClockInfo SM", Which<&C::nvmlDeviceGetMaxClockInfo, kClockSm>, Price::kDear},
    {Source::kMemoryClockMax, "nvmlDeviceGetMaxClockInfo memory", Which<&C::nvmlDeviceGetMaxClockInfo, kClockMemory>, Price::kDear},
    {Source::kPerformanceState, "nvmlDeviceGetPerformanceState", AskPerformanceState, Price::kCostly},
    {Source::kEventReasons, "nvmlDeviceGetCurrentClocksEventReasons", OneLong<&C::nvmlDeviceGetCurrentClocksEventReasons>, Price::kCostly},
    {Source::kThrottleReasons, "nvmlDeviceGetCurrentClocksThrottleReasons", OneLong<&C::nvmlDeviceGetCurrentClocksThrottleReasons>, Price::kCostly},
    {Source::kEventTimes, "nvmlDeviceGetFieldValues 74, 76, 269", Fields<kFieldEventPowerCap, kFieldEventSyncBoost, kFieldEventSoftwareThermal>, Price::kDear},
    {Source::kEventTimesSlow, "nvmlDeviceGetFieldValues 270, 271", Fields<kFieldEventHardwareThermal, kFieldEventPowerBrake>, Price::kDear},
    {Source::kViolationPower, "nvmlDeviceGetViolationStatus power", Violation<kPolicyPower>, Price::kDear},
    {Source::kViolationSyncBoost, "nvmlDeviceGetViolationStatus sync boost", Violation<kPolicySyncBoost>, Price::kDear},
    {Source::kViolationThermal, "nvmlDeviceGetViolationStatus thermal", Violation<kPolicyThermal>, Price::kDear},
    {Source::kPcieGeneration, "nvmlDeviceGetCurrPcieLinkGeneration", One<&C::nvmlDeviceGetCurrPcieLinkGeneration>, Price::kCostly},
    {Source::kPcieWidth, "nvmlDeviceGetCurrPcieLinkWidth", One<&C::nvmlDeviceGetCurrPcieLinkWidth>, Price::kCostly},
    {Source::kPcieGenerationMax, "nvmlDeviceGetMaxPcieLinkGeneration", One<&C::nvmlDeviceGetMaxPcieLinkGeneration>, Price::kCostly},
    {Source::kPcieWidthMax, "nvmlDeviceGetMaxPcieLinkWidth", One<&C::nvmlDeviceGetMaxPcieLinkWidth>, Price::kCostly},
    {Source::kPcieReplays, "nvmlDeviceGetPcieReplayCounter", One<&C::nvmlDeviceGetPcieReplayCounter>, Price::kCostly},
    {Source::kNvlinkStates, "nvmlDeviceGetNvLinkState of each link", AskNvlinks, Price::kCostly},
    {Source::kEccMode, "nvmlDeviceGetEccMode", Two<&C::nvmlDeviceGetEccMode>, Price::kCostly},
    {Source::kEccCorrected, "nvmlDeviceGetTotalEccErrors corrected, since load", Ecc<0, 0>, Price::kCostly},
    {Source::kEccUncorrected, "nvmlDeviceGetTotalEccErrors uncorrected, since load", Ecc<1, 0>, Price::kCostly},
    {Source::kEccCorrectedLifetime, "nvmlDeviceGetTotalEccErrors corrected, lifetime", Ecc<0, 1>, Price::kCostly},
    {Source::kEccUncorrectedLifetime, "nvmlDeviceGetTotalEccErrors uncorrected, lifetime", Ecc<1, 1>, Price::kCostly},
    {Source::kRemappedRows, "nvmlDeviceGetRemappedRows", AskRemappedRows, Price::kCostly},
    {Source::kRetiredPages, "nvmlDeviceGetRetiredPages", AskRetiredPages, Price::kCostly},
    {Source::kPersistenceMode, "nvmlDeviceGetPersistenceMode", One<&C::nvmlDeviceGetPersistenceMode>},
    {Source::kComputeMode, "nvmlDeviceGetComputeMode", One<&C::nvmlDeviceGetComputeMode>},
    {Source::kMigMode, "nvmlDeviceGetMigMode", Two<&C::nvmlDeviceGetMigMode>},
    {Source::kMemoryInfoV2, "nvmlDeviceGetMemoryInfo_v2", nullptr},
    {Source::kMemoryInfoV1, "nvmlDeviceGetMemoryInfo", nullptr},
    {Source::kUtilizationRing, "nvmlDeviceGetSamples GPU utilisation", nullptr},
    {Source::kPowerRing, "nvmlDeviceGetSamples total power", nullptr},
    {Source::kGpm, "nvmlGpmSampleGet, nvmlGpmMetricsGet", nullptr},
    {Source::kGpmGraphics, "nvmlGpmMetricsGet 1", nullptr},
    {Source::kPcieThroughput, "nvmlDeviceGetPcieThroughput", nullptr},
    {Source::kNvlinkCounters, "nvmlDeviceGetFieldValues 138, 139", nullptr},
    {Source::kEvents, "nvmlEventSetWait_v2", nullptr},
    {Source::kProcessList, "nvmlDeviceGetComputeRunningProcesses and its kin", nullptr},
};
// clang-format on
static_assert(std::size(kRows) == kSources);

constexpr bool InOrder() {
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<size_t>(kRows[i].source) != i) return false;
  }
  return true;
}
static_assert(InOrder());

}  // namespace

const SourceRow& Row(Source source) { return kRows[static_cast<size_t>(source)]; }

double NumberOf(ValueType type, const Value& value) {
  switch (type) {
    case kDouble:
      return value.d;
    case kUnsignedInt:
      return value.u32;
    case kUnsignedLong:
    case kUnsignedLongLong:
      return static_cast<double>(value.u64);
    case kSignedLongLong:
      return static_cast<double>(value.i64);
    case kSignedInt:
      return value.i32;
    case kUnsignedShort:
      return value.u16;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace gpusight::nvml
