// SPDX-License-Identifier: Apache-2.0
// Which answers of the driver each named track moves.
#include <fmt/format.h>

#include "testing/fake_nvml/scenario.h"

namespace gpusight::fake {

namespace {

using T = TrackName;

constexpr uint64_t Scoped(uint64_t field, uint64_t scope) { return field | (scope << 32); }

}  // namespace

const std::vector<TrackRow>& TrackRows() {
  static const auto* rows = new std::vector<TrackRow>{
      {T::kUtilization, "utilization_percent", Call::nvmlDeviceGetUtilizationRates, 0, 0, 1, false},
      {T::kMemoryActivity, "memory_activity_percent", Call::nvmlDeviceGetUtilizationRates, 0, 1, 1,
       false},
      {T::kUtilization, "utilization_percent", Call::nvmlDeviceGetDynamicPstatesInfo, 0, 0, 1,
       false},
      {T::kMemoryActivity, "memory_activity_percent", Call::nvmlDeviceGetDynamicPstatesInfo, 0, 1,
       1, false},
      {T::kEncoder, "encoder_percent", Call::nvmlDeviceGetEncoderUtilization, 0, 0, 1, false},
      {T::kDecoder, "decoder_percent", Call::nvmlDeviceGetDecoderUtilization, 0, 0, 1, false},
      {T::kJpeg, "jpeg_percent", Call::nvmlDeviceGetJpgUtilization, 0, 0, 1, false},
      {T::kOfa, "ofa_percent", Call::nvmlDeviceGetOfaUtilization, 0, 0, 1, false},
      {T::kPower, "power_watts", Call::nvmlDeviceGetPowerUsage, 0, 0, 1e3, false},
      {T::kPower, "power_watts", Call::nvmlDeviceGetFieldValues, 185, 0, 1e3, false},
      {T::kPower, "power_watts", Call::nvmlDeviceGetTotalEnergyConsumption, 0, 0, 1e3, true},
      {T::kPower, "power_watts", Call::nvmlDeviceGetFieldValues, 83, 0, 1e3, true},
      {T::kPower, "power_watts", Call::nvmlDeviceGetFieldValues, 191, 0, 1e3, true},
      {T::kMomentaryPower, "momentary_power_watts", Call::nvmlDeviceGetFieldValues, 186, 0, 1e3,
       false},
      {T::kMemoryPower, "memory_power_watts", Call::nvmlDeviceGetFieldValues, Scoped(185, 2), 0,
       1e3, false},
      {T::kTemperature, "temperature_celsius", Call::nvmlDeviceGetTemperature, 0, 0, 1, false},
      {T::kTemperature, "temperature_celsius", Call::nvmlDeviceGetTemperatureV, 0, 0, 1, false},
      {T::kMarginTemperature, "margin_celsius", Call::nvmlDeviceGetMarginTemperature, 0, 0, 1,
       false},
      {T::kMemoryTemperature, "memory_temperature_celsius", Call::nvmlDeviceGetFieldValues, 82, 0,
       1, false},
      {T::kFan, "fan_percent", Call::nvmlDeviceGetFanSpeed, 0, 0, 1, false},
      {T::kFan, "fan_percent", Call::nvmlDeviceGetFanSpeed_v2, 0, 0, 1, false},
      {T::kSmClock, "sm_clock_mhz", Call::nvmlDeviceGetClockInfo, 0, 0, 1, false},
      {T::kSmClock, "sm_clock_mhz", Call::nvmlDeviceGetClockInfo, 1, 0, 1, false},
      {T::kSmClock, "sm_clock_mhz", Call::nvmlDeviceGetClock, 0, 0, 1, false},
      {T::kSmClock, "sm_clock_mhz", Call::nvmlDeviceGetClock, 1, 0, 1, false},
      {T::kMemoryClock, "memory_clock_mhz", Call::nvmlDeviceGetClockInfo, 2, 0, 1, false},
      {T::kVideoClock, "video_clock_mhz", Call::nvmlDeviceGetClockInfo, 3, 0, 1, false},
      {T::kPState, "pstate", Call::nvmlDeviceGetPerformanceState, 0, 0, 1, false},
      {T::kPState, "pstate", Call::nvmlDeviceGetPowerState, 0, 0, 1, false},
      {T::kEventReasons, "event_reasons", Call::nvmlDeviceGetCurrentClocksEventReasons, 0, 0, 1,
       false},
      {T::kEventReasons, "event_reasons", Call::nvmlDeviceGetCurrentClocksThrottleReasons, 0, 0, 1,
       false},
      {T::kPcieTx, "pcie_tx_mib_per_s", Call::nvmlDeviceGetPcieThroughput, 0, 0, 1024, false},
      {T::kPcieTx, "pcie_tx_mib_per_s", Call::nvmlDeviceGetFieldValues, 197, 0, 1048576, true},
      {T::kPcieRx, "pcie_rx_mib_per_s", Call::nvmlDeviceGetPcieThroughput, 1, 0, 1024, false},
      {T::kPcieRx, "pcie_rx_mib_per_s", Call::nvmlDeviceGetFieldValues, 198, 0, 1048576, true},
      {T::kNvlinkTx, "nvlink_tx_mib_per_s", Call::nvmlDeviceGetFieldValues, 138, 0, 1024, true},
      {T::kNvlinkTx, "nvlink_tx_mib_per_s", Call::nvmlDeviceGetFieldValues, 140, 0, 1024, true},
      {T::kNvlinkRx, "nvlink_rx_mib_per_s", Call::nvmlDeviceGetFieldValues, 139, 0, 1024, true},
      {T::kNvlinkRx, "nvlink_rx_mib_per_s", Call::nvmlDeviceGetFieldValues, 141, 0, 1024, true},
      {T::kPowerCapShare, "power_cap_share", Call::nvmlDeviceGetFieldValues, 74, 0, 1e9, true},
      {T::kPowerCapShare, "power_cap_share", Call::nvmlDeviceGetViolationStatus, 0, 1, 1e9, true},
      {T::kThermalShare, "thermal_share", Call::nvmlDeviceGetFieldValues, 75, 0, 1e9, true},
      {T::kThermalShare, "thermal_share", Call::nvmlDeviceGetViolationStatus, 1, 1, 1e9, true},
      {T::kSyncBoostShare, "sync_boost_share", Call::nvmlDeviceGetFieldValues, 76, 0, 1e9, true},
      {T::kSoftwareThermalShare, "software_thermal_share", Call::nvmlDeviceGetFieldValues, 269, 0,
       1e9, true},
      {T::kHardwareThermalShare, "hardware_thermal_share", Call::nvmlDeviceGetFieldValues, 270, 0,
       1e9, true},
      {T::kPowerBrakeShare, "power_brake_share", Call::nvmlDeviceGetFieldValues, 271, 0, 1e9, true},
  };
  return *rows;
}

std::optional<TrackName> TrackNamed(std::string_view name) {
  for (const TrackRow& row : TrackRows()) {
    if (name == row.name) return row.track;
  }
  return std::nullopt;
}

}  // namespace gpusight::fake
