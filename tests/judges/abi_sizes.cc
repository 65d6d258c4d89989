// SPDX-License-Identifier: Apache-2.0
// Prints our declarations of NVML as JSON, sizes, offsets and constants, for abi_test.py to compare
// with nvidia-ml-py's. Fields are in their order; the names are only ours.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "probe/nvml/abi.h"

namespace {

using namespace gpusight::nvml;  // NOLINT: a program of one function

std::string Struct(const char* name, size_t size, const std::vector<size_t>& offsets) {
  return fmt::format("\"{}\": {{\"size\": {}, \"offsets\": [{}]}}", name, size,
                     fmt::join(offsets, ", "));
}

}  // namespace

#define AT(type, field) offsetof(type, field)

int main() {
  const std::vector<std::string> structs = {
      Struct("Memory", sizeof(Memory), {AT(Memory, total), AT(Memory, free), AT(Memory, used)}),
      Struct("MemoryV2", sizeof(MemoryV2),
             {AT(MemoryV2, version), AT(MemoryV2, total), AT(MemoryV2, reserved),
              AT(MemoryV2, free), AT(MemoryV2, used)}),
      Struct("Bar1Memory", sizeof(Bar1Memory),
             {AT(Bar1Memory, total), AT(Bar1Memory, free), AT(Bar1Memory, used)}),
      Struct("Utilization", sizeof(Utilization), {AT(Utilization, gpu), AT(Utilization, memory)}),
      Struct("DynamicPstates", sizeof(DynamicPstates),
             {AT(DynamicPstates, flags), AT(DynamicPstates, domains)}),
      Struct("ProcessInfo24", sizeof(ProcessInfo24),
             {AT(ProcessInfo24, pid), AT(ProcessInfo24, used_memory),
              AT(ProcessInfo24, gpu_instance), AT(ProcessInfo24, compute_instance)}),
      Struct(
          "ProcessInfo32", sizeof(ProcessInfo32),
          {AT(ProcessInfo32, pid), AT(ProcessInfo32, used_memory), AT(ProcessInfo32, gpu_instance),
           AT(ProcessInfo32, compute_instance), AT(ProcessInfo32, protected_memory)}),
      Struct("ProcessUtilization", sizeof(ProcessUtilization),
             {AT(ProcessUtilization, pid), AT(ProcessUtilization, time_us),
              AT(ProcessUtilization, sm), AT(ProcessUtilization, memory),
              AT(ProcessUtilization, encoder), AT(ProcessUtilization, decoder)}),
      Struct("ProcessUtilizationV1", sizeof(ProcessUtilizationV1),
             {AT(ProcessUtilizationV1, time_us), AT(ProcessUtilizationV1, pid),
              AT(ProcessUtilizationV1, sm), AT(ProcessUtilizationV1, memory),
              AT(ProcessUtilizationV1, encoder), AT(ProcessUtilizationV1, decoder),
              AT(ProcessUtilizationV1, jpeg), AT(ProcessUtilizationV1, ofa)}),
      Struct("ProcessesUtilizationV1", sizeof(ProcessesUtilizationV1),
             {AT(ProcessesUtilizationV1, version), AT(ProcessesUtilizationV1, count),
              AT(ProcessesUtilizationV1, last_seen_us), AT(ProcessesUtilizationV1, samples)}),
      Struct("Sample", sizeof(Sample), {AT(Sample, time_us), AT(Sample, value)}),
      Struct("FieldValue", sizeof(FieldValue),
             {AT(FieldValue, field), AT(FieldValue, scope), AT(FieldValue, time_us),
              AT(FieldValue, latency_us), AT(FieldValue, type), AT(FieldValue, result),
              AT(FieldValue, value)}),
      Struct(
          "PciInfo", sizeof(PciInfo),
          {AT(PciInfo, bus_id_legacy), AT(PciInfo, domain), AT(PciInfo, bus), AT(PciInfo, device),
           AT(PciInfo, pci_device_id), AT(PciInfo, pci_subsystem_id), AT(PciInfo, bus_id)}),
      Struct("DeviceAttributes", sizeof(DeviceAttributes),
             {AT(DeviceAttributes, multiprocessors), AT(DeviceAttributes, copy_engines),
              AT(DeviceAttributes, decoders), AT(DeviceAttributes, encoders),
              AT(DeviceAttributes, jpegs), AT(DeviceAttributes, ofas),
              AT(DeviceAttributes, gpu_instance_slices),
              AT(DeviceAttributes, compute_instance_slices), AT(DeviceAttributes, memory_mib)}),
      Struct("ViolationTime", sizeof(ViolationTime),
             {AT(ViolationTime, reference_us), AT(ViolationTime, violation_ns)}),
      Struct("MarginTemperature", sizeof(MarginTemperature),
             {AT(MarginTemperature, version), AT(MarginTemperature, margin)}),
      Struct("EventData", sizeof(EventData),
             {AT(EventData, device), AT(EventData, type), AT(EventData, data),
              AT(EventData, gpu_instance), AT(EventData, compute_instance)}),
      Struct("GpmMetric", sizeof(GpmMetric),
             {AT(GpmMetric, id), AT(GpmMetric, result), AT(GpmMetric, value),
              AT(GpmMetric, short_name), AT(GpmMetric, long_name), AT(GpmMetric, unit)}),
      Struct("GpmMetricsGet", sizeof(GpmMetricsGet),
             {AT(GpmMetricsGet, version), AT(GpmMetricsGet, count), AT(GpmMetricsGet, first),
              AT(GpmMetricsGet, second), AT(GpmMetricsGet, metrics)}),
      Struct("GpmSupport", sizeof(GpmSupport),
             {AT(GpmSupport, version), AT(GpmSupport, supported)}),
  };

  const std::map<std::string, uint64_t> constants = {
#define SAME(ours, theirs) {#theirs, static_cast<uint64_t>(ours)}
      SAME(kSuccess, NVML_SUCCESS),
      SAME(kUninitialized, NVML_ERROR_UNINITIALIZED),
      SAME(kInvalidArgument, NVML_ERROR_INVALID_ARGUMENT),
      SAME(kNotSupported, NVML_ERROR_NOT_SUPPORTED),
      SAME(kNoPermission, NVML_ERROR_NO_PERMISSION),
      SAME(kAlreadyInitialized, NVML_ERROR_ALREADY_INITIALIZED),
      SAME(kNotFound, NVML_ERROR_NOT_FOUND),
      SAME(kInsufficientSize, NVML_ERROR_INSUFFICIENT_SIZE),
      SAME(kInsufficientPower, NVML_ERROR_INSUFFICIENT_POWER),
      SAME(kDriverNotLoaded, NVML_ERROR_DRIVER_NOT_LOADED),
      SAME(kTimeout, NVML_ERROR_TIMEOUT),
      SAME(kIrqIssue, NVML_ERROR_IRQ_ISSUE),
      SAME(kLibraryNotFound, NVML_ERROR_LIBRARY_NOT_FOUND),
      SAME(kFunctionNotFound, NVML_ERROR_FUNCTION_NOT_FOUND),
      SAME(kCorruptedInforom, NVML_ERROR_CORRUPTED_INFOROM),
      SAME(kGpuIsLost, NVML_ERROR_GPU_IS_LOST),
      SAME(kResetRequired, NVML_ERROR_RESET_REQUIRED),
      SAME(kOperatingSystem, NVML_ERROR_OPERATING_SYSTEM),
      SAME(kLibRmVersionMismatch, NVML_ERROR_LIB_RM_VERSION_MISMATCH),
      SAME(kInUse, NVML_ERROR_IN_USE),
      SAME(kMemory, NVML_ERROR_MEMORY),
      SAME(kNoData, NVML_ERROR_NO_DATA),
      SAME(kVgpuEccNotSupported, NVML_ERROR_VGPU_ECC_NOT_SUPPORTED),
      SAME(kInsufficientResources, NVML_ERROR_INSUFFICIENT_RESOURCES),
      SAME(kFreqNotSupported, NVML_ERROR_FREQ_NOT_SUPPORTED),
      SAME(kArgumentVersionMismatch, NVML_ERROR_ARGUMENT_VERSION_MISMATCH),
      SAME(kDeprecated, NVML_ERROR_DEPRECATED),
      SAME(kNotReady, NVML_ERROR_NOT_READY),
      SAME(kGpuNotFound, NVML_ERROR_GPU_NOT_FOUND),
      SAME(kInvalidState, NVML_ERROR_INVALID_STATE),
      SAME(kUnknown, NVML_ERROR_UNKNOWN),
      SAME(kValueNotAvailable, NVML_VALUE_NOT_AVAILABLE_ulonglong),
      SAME(kMemoryV2Version, nvmlMemory_v2),
      SAME(kProcessesUtilizationVersion, ProcessesUtilizationInfo_v1),
      SAME(kMarginTemperatureVersion, nvmlMarginTemperature_v1),
      SAME(kGpmVersion, NVML_GPM_METRICS_GET_VERSION),
      SAME(kGpmVersion, NVML_GPM_SUPPORT_VERSION),
      SAME(kDouble, NVML_VALUE_TYPE_DOUBLE),
      SAME(kUnsignedInt, NVML_VALUE_TYPE_UNSIGNED_INT),
      SAME(kUnsignedLong, NVML_VALUE_TYPE_UNSIGNED_LONG),
      SAME(kUnsignedLongLong, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG),
      SAME(kSignedLongLong, NVML_VALUE_TYPE_SIGNED_LONG_LONG),
      SAME(kSignedInt, NVML_VALUE_TYPE_SIGNED_INT),
      SAME(kTotalPowerSamples, NVML_TOTAL_POWER_SAMPLES),
      SAME(kGpuUtilizationSamples, NVML_GPU_UTILIZATION_SAMPLES),
      SAME(kMemoryUtilizationSamples, NVML_MEMORY_UTILIZATION_SAMPLES),
      SAME(kEncoderUtilizationSamples, NVML_ENC_UTILIZATION_SAMPLES),
      SAME(kDecoderUtilizationSamples, NVML_DEC_UTILIZATION_SAMPLES),
      SAME(kProcessorClockSamples, NVML_PROCESSOR_CLK_SAMPLES),
      SAME(kMemoryClockSamples, NVML_MEMORY_CLK_SAMPLES),
      SAME(kFieldMemoryTemperature, NVML_FI_DEV_MEMORY_TEMP),
      SAME(kFieldTotalEnergy, NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION),
      SAME(kFieldNvlinkDataTx, NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX),
      SAME(kFieldNvlinkDataRx, NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX),
      SAME(kFieldPowerAverage, NVML_FI_DEV_POWER_AVERAGE),
      SAME(kFieldPowerInstant, NVML_FI_DEV_POWER_INSTANT),
      SAME(kFieldPcieTxBytes, NVML_FI_DEV_PCIE_COUNT_TX_BYTES),
      SAME(kFieldPcieRxBytes, NVML_FI_DEV_PCIE_COUNT_RX_BYTES),
      SAME(kFieldEventPowerCap, NVML_FI_DEV_PERF_POLICY_POWER),
      SAME(kFieldEventSyncBoost, NVML_FI_DEV_PERF_POLICY_SYNC_BOOST),
      SAME(kFieldEventSoftwareThermal, NVML_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN),
      SAME(kFieldEventHardwareThermal, NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN),
      SAME(kFieldEventPowerBrake, NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN),
      SAME(kEventSingleBitEcc, nvmlEventTypeSingleBitEccError),
      SAME(kEventDoubleBitEcc, nvmlEventTypeDoubleBitEccError),
      SAME(kEventXid, nvmlEventTypeXidCriticalError),
      SAME(kGpmGraphics, NVML_GPM_METRIC_GRAPHICS_UTIL),
      SAME(kGpmSm, NVML_GPM_METRIC_SM_UTIL),
      SAME(kGpmOccupancy, NVML_GPM_METRIC_SM_OCCUPANCY),
      SAME(kGpmInteger, NVML_GPM_METRIC_INTEGER_UTIL),
      SAME(kGpmAnyTensor, NVML_GPM_METRIC_ANY_TENSOR_UTIL),
      SAME(kGpmDfmaTensor, NVML_GPM_METRIC_DFMA_TENSOR_UTIL),
      SAME(kGpmHmmaTensor, NVML_GPM_METRIC_HMMA_TENSOR_UTIL),
      SAME(kGpmImmaTensor, NVML_GPM_METRIC_IMMA_TENSOR_UTIL),
      SAME(kGpmDram, NVML_GPM_METRIC_DRAM_BW_UTIL),
      SAME(kGpmFp64, NVML_GPM_METRIC_FP64_UTIL),
      SAME(kGpmFp32, NVML_GPM_METRIC_FP32_UTIL),
      SAME(kGpmFp16, NVML_GPM_METRIC_FP16_UTIL),
      SAME(kGpmPcieTx, NVML_GPM_METRIC_PCIE_TX_PER_SEC),
      SAME(kGpmPcieRx, NVML_GPM_METRIC_PCIE_RX_PER_SEC),
      SAME(kGpmNvlinkRx, NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC),
      SAME(kGpmNvlinkTx, NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC),
      SAME(kGpmMetricMax, NVML_GPM_METRIC_MAX),
#undef SAME
  };
  std::vector<std::string> numbers;
  numbers.reserve(constants.size());
  for (const auto& [name, value] : constants) {
    numbers.push_back(fmt::format("\"{}\": {}", name, value));
  }
  fmt::print("{{\"structs\": {{{}}},\n\"constants\": {{{}}}}}\n", fmt::join(structs, ",\n"),
             fmt::join(numbers, ",\n"));
  return 0;
}
