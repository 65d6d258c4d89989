// SPDX-License-Identifier: Apache-2.0
// The list of everything the fake driver exports: the calls of gpusight itself (abi.h) and those
// that nvidia-ml-py, nvitop and gpustat need besides. Each is declared here with C linkage, so that
// the compiler refuses a definition whose signature differs, and gets a number (Call) by which
// recordings, rules and the counter know it. Next: scenario.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "probe/nvml/abi.h"

namespace gpusight::nvml {

struct PciInfoV1 {
  char bus_id[16];
  uint32_t domain, bus, device, pci_device_id;
};
struct TemperatureV {
  uint32_t version;  // sizeof | 1 << 24
  uint32_t sensor;
  int32_t temperature;
};
struct ProcessDetail {
  uint32_t pid;
  uint64_t used_memory;
  uint32_t gpu_instance, compute_instance;
  uint64_t protected_memory;
};
struct ProcessDetailList {
  uint32_t version;  // sizeof | 1 << 24
  uint32_t mode;     // 0 compute, 1 graphics, 2 MPS
  uint32_t count;
  ProcessDetail* processes;
};
static_assert(sizeof(PciInfoV1) == 32 && sizeof(TemperatureV) == 12);
static_assert(sizeof(ProcessDetail) == 32 && sizeof(ProcessDetailList) == 24);

// Calls that gpusight does not make but its judges do. X(name, parameters).
// clang-format off
#define GPUSIGHT_FAKE_EXTRA_CALLS(X) \
  X(nvmlInit, (void)) \
  X(nvmlSystemGetProcessName, (unsigned, char*, unsigned)) \
  X(nvmlDeviceGetCount, (unsigned*)) \
  X(nvmlDeviceGetHandleByIndex, (unsigned, Device*)) \
  X(nvmlDeviceGetHandleBySerial, (const char*, Device*)) \
  X(nvmlDeviceGetHandleByPciBusId, (const char*, Device*)) \
  X(nvmlDeviceGetPciInfo, (Device, PciInfoV1*)) \
  X(nvmlDeviceGetSerial, (Device, char*, unsigned)) \
  X(nvmlDeviceGetBoardPartNumber, (Device, char*, unsigned)) \
  X(nvmlDeviceGetInforomImageVersion, (Device, char*, unsigned)) \
  X(nvmlDeviceGetGspFirmwareVersion, (Device, char*)) \
  X(nvmlDeviceGetGspFirmwareMode, (Device, unsigned*, unsigned*)) \
  X(nvmlDeviceGetBrand, (Device, unsigned*)) \
  X(nvmlDeviceGetBoardId, (Device, unsigned*)) \
  X(nvmlDeviceGetModuleId, (Device, unsigned*)) \
  X(nvmlDeviceGetMultiGpuBoard, (Device, unsigned*)) \
  X(nvmlDeviceGetDisplayMode, (Device, unsigned*)) \
  X(nvmlDeviceGetDisplayActive, (Device, unsigned*)) \
  X(nvmlDeviceGetDriverModel, (Device, unsigned*, unsigned*)) \
  X(nvmlDeviceGetDriverModel_v2, (Device, unsigned*, unsigned*)) \
  X(nvmlDeviceGetVirtualizationMode, (Device, unsigned*)) \
  X(nvmlDeviceGetBusType, (Device, unsigned*)) \
  X(nvmlDeviceGetIrqNum, (Device, unsigned*)) \
  X(nvmlDeviceGetMemoryBusWidth, (Device, unsigned*)) \
  X(nvmlDeviceGetNumFans, (Device, unsigned*)) \
  X(nvmlDeviceGetFanSpeed_v2, (Device, unsigned, unsigned*)) \
  X(nvmlDeviceGetTemperatureV, (Device, TemperatureV*)) \
  X(nvmlDeviceGetPowerState, (Device, unsigned*)) \
  X(nvmlDeviceGetPowerSource, (Device, unsigned*)) \
  X(nvmlDeviceGetPowerManagementMode, (Device, unsigned*)) \
  X(nvmlDeviceGetClock, (Device, unsigned, unsigned, unsigned*)) \
  X(nvmlDeviceGetApplicationsClock, (Device, unsigned, unsigned*)) \
  X(nvmlDeviceGetDefaultApplicationsClock, (Device, unsigned, unsigned*)) \
  X(nvmlDeviceGetMaxCustomerBoostClock, (Device, unsigned, unsigned*)) \
  X(nvmlDeviceGetSupportedClocksEventReasons, (Device, unsigned long long*)) \
  X(nvmlDeviceGetSupportedClocksThrottleReasons, (Device, unsigned long long*)) \
  X(nvmlDeviceGetGpuMaxPcieLinkGeneration, (Device, unsigned*)) \
  X(nvmlDeviceGetPcieLinkMaxSpeed, (Device, unsigned*)) \
  X(nvmlDeviceGetPcieSpeed, (Device, unsigned*)) \
  X(nvmlDeviceGetDefaultEccMode, (Device, unsigned*)) \
  X(nvmlDeviceGetMemoryErrorCounter, (Device, unsigned, unsigned, unsigned, unsigned long long*)) \
  X(nvmlDeviceGetRetiredPagesPendingStatus, (Device, unsigned*)) \
  X(nvmlDeviceGetRowRemapperHistogram, (Device, unsigned*)) \
  X(nvmlDeviceGetConfComputeMemSizeInfo, (Device, uint64_t*)) \
  X(nvmlDeviceGetAccountingMode, (Device, unsigned*)) \
  X(nvmlDeviceGetAccountingBufferSize, (Device, unsigned*)) \
  X(nvmlDeviceGetAutoBoostedClocksEnabled, (Device, unsigned*, unsigned*)) \
  X(nvmlDeviceGetGpuOperationMode, (Device, unsigned*, unsigned*)) \
  X(nvmlDeviceGetNvLinkVersion, (Device, unsigned, unsigned*)) \
  X(nvmlDeviceGetAttributes, (Device, DeviceAttributes*)) \
  X(nvmlDeviceIsMigDeviceHandle, (Device, unsigned*)) \
  X(nvmlDeviceGetDeviceHandleFromMigDeviceHandle, (Device, Device*)) \
  X(nvmlDeviceGetRunningProcessDetailList, (Device, ProcessDetailList*)) \
  X(nvmlEventSetWait, (EventSet, EventData*, unsigned)) \
  X(nvmlGpmQueryIfStreamingEnabled, (Device, unsigned*)) \
  X(nvmlUnitGetCount, (unsigned*))
// clang-format on

extern "C" {
#define GPUSIGHT_FAKE_DECLARE(name, parameters) Return name parameters;
GPUSIGHT_NVML_CALLS(GPUSIGHT_FAKE_DECLARE)
GPUSIGHT_FAKE_EXTRA_CALLS(GPUSIGHT_FAKE_DECLARE)
#undef GPUSIGHT_FAKE_DECLARE
const char* nvmlErrorString(Return code);
}

}  // namespace gpusight::nvml

namespace gpusight::fake {

enum class Call : uint16_t {
#define GPUSIGHT_FAKE_NUMBER(name, parameters) name,
  GPUSIGHT_NVML_CALLS(GPUSIGHT_FAKE_NUMBER) GPUSIGHT_FAKE_EXTRA_CALLS(GPUSIGHT_FAKE_NUMBER)
#undef GPUSIGHT_FAKE_NUMBER
      kCount
};
inline constexpr size_t kCallCount = static_cast<size_t>(Call::kCount);

[[nodiscard]] const char* CallName(Call call);
[[nodiscard]] std::optional<Call> CallNamed(std::string_view name);

// The driver's sentence for a return code ("Not Supported"), and back; nullopt for none of them.
[[nodiscard]] const char* CodeText(int code);
[[nodiscard]] std::optional<int> CodeNamed(std::string_view text);

}  // namespace gpusight::fake
