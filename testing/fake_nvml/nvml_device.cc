// SPDX-License-Identifier: Apache-2.0
// Exported: getters whose answer is one recorded or moving item per out-parameter. To add one that
// gpusight starts to call: one line here.
#include "testing/fake_nvml/driver.h"

namespace gpusight::nvml {

using namespace fake;  // NOLINT: these functions are one surface

namespace {

using U64 = unsigned long long;

Return Text(Call call, Device handle, char* text, unsigned size) {
  return Session(call, handle).Text(text, size);
}

}  // namespace

// NOLINTBEGIN: the macros write functions
#define FAKE_TEXT(name) \
  Return name(Device h, char* text, unsigned size) { return Text(Call::name, h, text, size); }
#define FAKE_1(name, T) \
  Return name(Device h, T* a) { return Answered(Call::name, h, 0, a); }
#define FAKE_2(name, T) \
  Return name(Device h, T* a, T* b) { return Answered(Call::name, h, 0, a, b); }
#define FAKE_OF_1(name, T) \
  Return name(Device h, unsigned p, T* a) { return Answered(Call::name, h, p, a); }

extern "C" {

FAKE_TEXT(nvmlDeviceGetVbiosVersion)
FAKE_TEXT(nvmlDeviceGetSerial)
FAKE_TEXT(nvmlDeviceGetBoardPartNumber)
FAKE_TEXT(nvmlDeviceGetInforomImageVersion)

FAKE_1(nvmlDeviceGetMinorNumber, unsigned)
FAKE_1(nvmlDeviceGetArchitecture, unsigned)
FAKE_1(nvmlDeviceGetNumGpuCores, unsigned)
FAKE_1(nvmlDeviceGetNumaNodeId, unsigned)
FAKE_1(nvmlDeviceGetFanSpeed, unsigned)
FAKE_1(nvmlDeviceGetPowerUsage, unsigned)
FAKE_1(nvmlDeviceGetEnforcedPowerLimit, unsigned)
FAKE_1(nvmlDeviceGetPowerManagementLimit, unsigned)
FAKE_1(nvmlDeviceGetPowerManagementDefaultLimit, unsigned)
FAKE_1(nvmlDeviceGetTotalEnergyConsumption, U64)
FAKE_1(nvmlDeviceGetPerformanceState, unsigned)
FAKE_1(nvmlDeviceGetCurrentClocksEventReasons, U64)
FAKE_1(nvmlDeviceGetCurrentClocksThrottleReasons, U64)
FAKE_1(nvmlDeviceGetCurrPcieLinkGeneration, unsigned)
FAKE_1(nvmlDeviceGetCurrPcieLinkWidth, unsigned)
FAKE_1(nvmlDeviceGetMaxPcieLinkGeneration, unsigned)
FAKE_1(nvmlDeviceGetMaxPcieLinkWidth, unsigned)
FAKE_1(nvmlDeviceGetPcieReplayCounter, unsigned)
FAKE_1(nvmlDeviceGetPersistenceMode, unsigned)
FAKE_1(nvmlDeviceGetComputeMode, unsigned)
FAKE_1(nvmlDeviceGetSupportedEventTypes, U64)
FAKE_1(nvmlDeviceGetBrand, unsigned)
FAKE_1(nvmlDeviceGetBoardId, unsigned)
FAKE_1(nvmlDeviceGetModuleId, unsigned)
FAKE_1(nvmlDeviceGetMultiGpuBoard, unsigned)
FAKE_1(nvmlDeviceGetDisplayMode, unsigned)
FAKE_1(nvmlDeviceGetDisplayActive, unsigned)
FAKE_1(nvmlDeviceGetVirtualizationMode, unsigned)
FAKE_1(nvmlDeviceGetBusType, unsigned)
FAKE_1(nvmlDeviceGetIrqNum, unsigned)
FAKE_1(nvmlDeviceGetMemoryBusWidth, unsigned)
FAKE_1(nvmlDeviceGetNumFans, unsigned)
FAKE_1(nvmlDeviceGetPowerState, unsigned)
FAKE_1(nvmlDeviceGetPowerSource, unsigned)
FAKE_1(nvmlDeviceGetPowerManagementMode, unsigned)
FAKE_1(nvmlDeviceGetSupportedClocksEventReasons, U64)
FAKE_1(nvmlDeviceGetSupportedClocksThrottleReasons, U64)
FAKE_1(nvmlDeviceGetGpuMaxPcieLinkGeneration, unsigned)
FAKE_1(nvmlDeviceGetPcieLinkMaxSpeed, unsigned)
FAKE_1(nvmlDeviceGetPcieSpeed, unsigned)
FAKE_1(nvmlDeviceGetDefaultEccMode, unsigned)
FAKE_1(nvmlDeviceGetRetiredPagesPendingStatus, unsigned)
FAKE_1(nvmlDeviceGetAccountingMode, unsigned)
FAKE_1(nvmlDeviceGetAccountingBufferSize, unsigned)
FAKE_1(nvmlGpmQueryIfStreamingEnabled, unsigned)

FAKE_2(nvmlDeviceGetCudaComputeCapability, int)
FAKE_2(nvmlDeviceGetEncoderUtilization, unsigned)
FAKE_2(nvmlDeviceGetDecoderUtilization, unsigned)
FAKE_2(nvmlDeviceGetJpgUtilization, unsigned)
FAKE_2(nvmlDeviceGetOfaUtilization, unsigned)
FAKE_2(nvmlDeviceGetPowerManagementLimitConstraints, unsigned)
FAKE_2(nvmlDeviceGetEccMode, unsigned)
FAKE_2(nvmlDeviceGetGspFirmwareMode, unsigned)
FAKE_2(nvmlDeviceGetDriverModel, unsigned)
FAKE_2(nvmlDeviceGetDriverModel_v2, unsigned)
FAKE_2(nvmlDeviceGetAutoBoostedClocksEnabled, unsigned)
FAKE_2(nvmlDeviceGetGpuOperationMode, unsigned)

FAKE_OF_1(nvmlDeviceGetTemperature, unsigned)
FAKE_OF_1(nvmlDeviceGetTemperatureThreshold, unsigned)
FAKE_OF_1(nvmlDeviceGetClockInfo, unsigned)
FAKE_OF_1(nvmlDeviceGetMaxClockInfo, unsigned)
FAKE_OF_1(nvmlDeviceGetPcieThroughput, unsigned)
FAKE_OF_1(nvmlDeviceGetNvLinkState, unsigned)
FAKE_OF_1(nvmlDeviceGetNvLinkVersion, unsigned)
FAKE_OF_1(nvmlDeviceGetFanSpeed_v2, unsigned)
FAKE_OF_1(nvmlDeviceGetApplicationsClock, unsigned)
FAKE_OF_1(nvmlDeviceGetDefaultApplicationsClock, unsigned)
FAKE_OF_1(nvmlDeviceGetMaxCustomerBoostClock, unsigned)

Return nvmlDeviceGetGspFirmwareVersion(Device h, char* text) {
  return Text(Call::nvmlDeviceGetGspFirmwareVersion, h, text, 64);  // the buffer's fixed size
}

Return nvmlDeviceGetClock(Device h, unsigned type, unsigned id, unsigned* mhz) {
  return Answered(Call::nvmlDeviceGetClock, h, Pack({type, id}), mhz);
}

Return nvmlDeviceGetTotalEccErrors(Device h, unsigned type, unsigned counter, U64* count) {
  return Answered(Call::nvmlDeviceGetTotalEccErrors, h, Pack({type, counter}), count);
}

Return nvmlDeviceGetMemoryErrorCounter(Device h, unsigned type, unsigned counter, unsigned location,
                                       U64* count) {
  return Answered(Call::nvmlDeviceGetMemoryErrorCounter, h, Pack({type, counter, location}), count);
}

Return nvmlDeviceGetRemappedRows(Device h, unsigned* a, unsigned* b, unsigned* c, unsigned* d) {
  return Answered(Call::nvmlDeviceGetRemappedRows, h, 0, a, b, c, d);
}

Return nvmlDeviceGetRowRemapperHistogram(Device h, unsigned* v) {
  if (v == nullptr) return kInvalidArgument;
  return Answered(Call::nvmlDeviceGetRowRemapperHistogram, h, 0, &v[0], &v[1], &v[2], &v[3], &v[4]);
}

Return nvmlDeviceGetConfComputeMemSizeInfo(Device h, uint64_t* kib) {
  if (kib == nullptr) return kInvalidArgument;
  return Answered(Call::nvmlDeviceGetConfComputeMemSizeInfo, h, 0, &kib[0], &kib[1]);
}

Return nvmlDeviceGetUtilizationRates(Device h, Utilization* u) {
  if (u == nullptr) return kInvalidArgument;
  return Answered(Call::nvmlDeviceGetUtilizationRates, h, 0, &u->gpu, &u->memory);
}

Return nvmlDeviceGetDynamicPstatesInfo(Device h, DynamicPstates* info) {
  if (info == nullptr) return kInvalidArgument;
  *info = {};
  for (int domain = 0; domain < 4; ++domain) info->domains[domain].present = 1;
  return Answered(Call::nvmlDeviceGetDynamicPstatesInfo, h, 0, &info->domains[0].percent,
                  &info->domains[1].percent);
}

Return nvmlDeviceGetViolationStatus(Device h, unsigned policy, ViolationTime* time) {
  const Session session(Call::nvmlDeviceGetViolationStatus, h, policy);
  if (session.code() != kSuccess) return session.code();
  if (time == nullptr) return kInvalidArgument;
  time->reference_us = session.Wall(session.now());
  time->violation_ns = session.Get<uint64_t>(1);
  return kSuccess;
}

Return nvmlDeviceGetTemperatureV(Device h, TemperatureV* t) {
  if (t == nullptr) return kInvalidArgument;
  const Session session(Call::nvmlDeviceGetTemperatureV, h, t->sensor);
  if (t->sensor == 0 && session.code() == kSuccess) {
    if (t->version != (sizeof(TemperatureV) | 1u << 24)) return kArgumentVersionMismatch;
    t->temperature = session.Get<int32_t>(0);
  }
  return t->sensor == 0 ? session.code() : kInvalidArgument;
}

Return nvmlDeviceGetC2cModeInfoV(Device h, C2cMode* mode) {
  return Answered(Call::nvmlDeviceGetC2cModeInfoV, h, 0,
                  mode == nullptr ? nullptr : &mode->enabled);
}

Return nvmlDeviceGetMarginTemperature(Device h, MarginTemperature* t) {
  const Session session(Call::nvmlDeviceGetMarginTemperature, h);
  if (session.code() != kSuccess) return session.code();
  if (t == nullptr) return kInvalidArgument;
  if (t->version != kMarginTemperatureVersion) return kArgumentVersionMismatch;
  t->margin = session.Get<int32_t>(0);
  return kSuccess;
}

Return nvmlDeviceGetCpuAffinity(Device h, unsigned words, unsigned long* set) {
  const Session session(Call::nvmlDeviceGetCpuAffinity, h);
  if (session.code() != kSuccess) return session.code();
  if (set == nullptr || words == 0) return kInvalidArgument;
  for (unsigned i = 0; i < words; ++i) set[i] = session.Get<unsigned long>(i);
  return kSuccess;
}

Return nvmlDeviceGetRetiredPages(Device h, unsigned cause, unsigned* count, U64* addresses) {
  const Session session(Call::nvmlDeviceGetRetiredPages, h, cause);
  if (session.code() != kSuccess) return session.code();
  if (count == nullptr) return kInvalidArgument;
  const auto pages = static_cast<unsigned>(session.ItemCount());
  const unsigned room = *count;
  *count = pages;
  if (room < pages) return kInsufficientSize;
  if (addresses == nullptr && pages > 0) return kInvalidArgument;
  for (unsigned i = 0; i < pages; ++i) addresses[i] = session.Get<U64>(i);
  return kSuccess;
}

}  // extern "C"
// NOLINTEND

namespace {

// The fields of nvmlPciInfo_t that a generation knows; texts end with their NUL, nothing after it
// is written.
struct PciFields {
  Return code = kSuccess;
  std::string legacy, bus_id;
  uint32_t numbers[5] = {};
};

PciFields ReadPci(Call call, Device handle) {
  const Session session(call, handle);
  PciFields fields;
  fields.code = session.CodeBesideRecord();
  if (fields.code != kSuccess) return fields;
  const Entry* entry = session.Find({Call::nvmlDeviceGetPciInfo_v3, 0});
  if (session.mig() != nullptr || entry == nullptr || entry->recorded.items.size() < 7) {
    fields.code = kNotSupported;
    return fields;
  }
  const auto& items = entry->recorded.items;
  if (const auto* text = std::get_if<std::string>(&items[0])) fields.legacy = text->substr(0, 15);
  for (size_t i = 0; i < 5; ++i) fields.numbers[i] = NumberOf<uint32_t>(items[i + 1]);
  if (const auto* text = std::get_if<std::string>(&items[6])) fields.bus_id = text->substr(0, 31);
  return fields;
}

Return WritePci(Call call, Device handle, PciInfo* info, bool with_bus_id) {
  const PciFields fields = ReadPci(call, handle);
  if (fields.code != kSuccess) return fields.code;
  if (info == nullptr) return kInvalidArgument;
  std::memcpy(info->bus_id_legacy, fields.legacy.c_str(), fields.legacy.size() + 1);
  info->domain = fields.numbers[0];
  info->bus = fields.numbers[1];
  info->device = fields.numbers[2];
  info->pci_device_id = fields.numbers[3];
  info->pci_subsystem_id = fields.numbers[4];
  if (with_bus_id) std::memcpy(info->bus_id, fields.bus_id.c_str(), fields.bus_id.size() + 1);
  return kSuccess;
}

}  // namespace

extern "C" {

Return nvmlDeviceGetPciInfo_v3(Device h, PciInfo* info) {
  return WritePci(Call::nvmlDeviceGetPciInfo_v3, h, info, true);
}
Return nvmlDeviceGetPciInfo_v2(Device h, PciInfo* info) {
  return WritePci(Call::nvmlDeviceGetPciInfo_v2, h, info, false);
}
Return nvmlDeviceGetPciInfo(Device h, PciInfoV1* info) {
  const PciFields fields = ReadPci(Call::nvmlDeviceGetPciInfo, h);
  if (fields.code != kSuccess) return fields.code;
  if (info == nullptr) return kInvalidArgument;
  std::memcpy(info->bus_id, fields.legacy.c_str(), fields.legacy.size() + 1);
  info->domain = fields.numbers[0];
  info->bus = fields.numbers[1];
  info->device = fields.numbers[2];
  info->pci_device_id = fields.numbers[3];
  return kSuccess;
}

}  // extern "C"

}  // namespace gpusight::nvml
