// SPDX-License-Identifier: Apache-2.0
// The part of NVIDIA's management library (libnvidia-ml.so.1) that gpusight calls: our own minimal
// declarations, so that no vendor header is needed to build. Names of functions and constants are
// the library's. Sizes are asserted here, and tests/judges/abi_test.py compares them with
// nvidia-ml-py. GPUSIGHT_NVML_CALLS is the one list of functions: the loader (library.h) resolves
// each of them as optional, the fake driver (testing/) implements each of them. Next: library.h.
#pragma once

#include <cstdint>

namespace gpusight::nvml {

// Return codes.
enum Return : int {
  kSuccess = 0,
  kUninitialized = 1,
  kInvalidArgument = 2,
  kNotSupported = 3,
  kNoPermission = 4,
  kAlreadyInitialized = 5,
  kNotFound = 6,
  kInsufficientSize = 7,
  kInsufficientPower = 8,
  kDriverNotLoaded = 9,
  kTimeout = 10,
  kIrqIssue = 11,
  kLibraryNotFound = 12,
  kFunctionNotFound = 13,
  kCorruptedInforom = 14,
  kGpuIsLost = 15,
  kResetRequired = 16,
  kOperatingSystem = 17,
  kLibRmVersionMismatch = 18,
  kInUse = 19,
  kMemory = 20,
  kNoData = 21,
  kVgpuEccNotSupported = 22,
  kInsufficientResources = 23,
  kFreqNotSupported = 24,
  kArgumentVersionMismatch = 25,
  kDeprecated = 26,
  kNotReady = 27,
  kGpuNotFound = 28,
  kInvalidState = 29,
  kUnknown = 999,
};

// "Not available" inside a successful answer.
inline constexpr uint64_t kValueNotAvailable = ~uint64_t{0};

using Device = struct DeviceOpaque*;
using EventSet = struct EventSetOpaque*;
using GpmSample = struct GpmSampleOpaque*;

struct Memory {
  uint64_t total, free, used;
};
struct MemoryV2 {
  uint32_t version;  // kMemoryV2Version
  uint64_t total, reserved, free, used;
};
inline constexpr uint32_t kMemoryV2Version = sizeof(MemoryV2) | (2u << 24);

struct Bar1Memory {
  uint64_t total, free, used;
};
struct Utilization {
  uint32_t gpu, memory;
};

// The process records of three generations. Which one the driver writes is told at run time from
// what it wrote (processes.h): the names of the functions do not tell.
struct ProcessInfo16 {
  uint32_t pid;
  uint64_t used_memory;
};
struct ProcessInfo24 {
  uint32_t pid;
  uint64_t used_memory;
  uint32_t gpu_instance, compute_instance;
};
struct ProcessInfo32 {
  uint32_t pid;
  uint64_t used_memory;
  uint32_t gpu_instance, compute_instance;
  uint64_t protected_memory;
};

struct ProcessUtilization {
  uint32_t pid;
  uint64_t time_us;
  uint32_t sm, memory, encoder, decoder;  // percent
};
struct ProcessUtilizationV1 {
  uint64_t time_us;
  uint32_t pid;
  uint32_t sm, memory, encoder, decoder, jpeg, ofa;  // percent
};
struct ProcessesUtilizationV1 {
  uint32_t version;  // kProcessesUtilizationVersion
  uint32_t count;
  uint64_t last_seen_us;
  ProcessUtilizationV1* samples;
};
inline constexpr uint32_t kProcessesUtilizationVersion =
    sizeof(ProcessesUtilizationV1) | (1u << 24);

union Value {
  double d;
  uint32_t u32;
  unsigned long ul;
  uint64_t u64;
  int64_t i64;
  int32_t i32;
  uint16_t u16;
};
enum ValueType : uint32_t {
  kDouble = 0,
  kUnsignedInt = 1,
  kUnsignedLong = 2,
  kUnsignedLongLong = 3,
  kSignedLongLong = 4,
  kSignedInt = 5,
  kUnsignedShort = 6,
};
struct Sample {
  uint64_t time_us;  // since 1970
  Value value;
};
enum SamplingType : uint32_t {
  kTotalPowerSamples = 0,  // milliwatts
  kGpuUtilizationSamples = 1,
  kMemoryUtilizationSamples = 2,
  kEncoderUtilizationSamples = 3,
  kDecoderUtilizationSamples = 4,
  kProcessorClockSamples = 5,
  kMemoryClockSamples = 6,
};

struct FieldValue {
  uint32_t field;
  uint32_t scope;
  int64_t time_us;
  int64_t latency_us;
  ValueType type;
  Return result;
  Value value;
};
inline constexpr uint32_t kFieldMemoryTemperature = 82;
inline constexpr uint32_t kFieldTotalEnergy = 83;
inline constexpr uint32_t kFieldNvlinkDataTx = 138;  // KiB since the driver was loaded
inline constexpr uint32_t kFieldNvlinkDataRx = 139;
inline constexpr uint32_t kFieldPowerAverage = 185;
inline constexpr uint32_t kFieldPowerInstant = 186;
inline constexpr uint32_t kFieldPcieTxBytes = 197;
inline constexpr uint32_t kFieldPcieRxBytes = 198;
inline constexpr uint32_t kFieldEventPowerCap = 74;  // perf policy power, ns
inline constexpr uint32_t kFieldEventSyncBoost = 76;
inline constexpr uint32_t kFieldEventSoftwareThermal = 269;
inline constexpr uint32_t kFieldEventHardwareThermal = 270;
inline constexpr uint32_t kFieldEventPowerBrake = 271;

struct PciInfo {
  char bus_id_legacy[16];
  uint32_t domain, bus, device;
  uint32_t pci_device_id, pci_subsystem_id;
  char bus_id[32];
};
struct DeviceAttributes {
  uint32_t multiprocessors, copy_engines, decoders, encoders, jpegs, ofas;
  uint32_t gpu_instance_slices, compute_instance_slices;
  uint64_t memory_mib;
};
struct ViolationTime {
  uint64_t reference_us, violation_ns;
};
struct MarginTemperature {
  uint32_t version;  // kMarginTemperatureVersion
  int32_t margin;
};
inline constexpr uint32_t kMarginTemperatureVersion = sizeof(MarginTemperature) | (1u << 24);

struct DynamicPstates {
  uint32_t flags;
  struct Domain {
    uint32_t present, percent, increase, decrease;
  } domains[8];  // 0 GPU, 1 memory controller, 2 video engine, 3 bus
};

struct C2cMode {
  uint32_t enabled;
};

struct EventData {
  Device device;
  uint64_t type;
  uint64_t data;  // the XID for kEventXid
  uint32_t gpu_instance, compute_instance;
};
inline constexpr uint64_t kEventSingleBitEcc = 0x1;
inline constexpr uint64_t kEventDoubleBitEcc = 0x2;
inline constexpr uint64_t kEventXid = 0x8;

enum GpmMetricId : uint32_t {
  kGpmGraphics = 1,
  kGpmSm = 2,
  kGpmOccupancy = 3,
  kGpmInteger = 4,
  kGpmAnyTensor = 5,
  kGpmDfmaTensor = 6,
  kGpmHmmaTensor = 7,
  kGpmDmmaTensor = 8,
  kGpmImmaTensor = 9,
  kGpmDram = 10,
  kGpmFp64 = 11,
  kGpmFp32 = 12,
  kGpmFp16 = 13,
  kGpmPcieTx = 20,  // MiB/s
  kGpmPcieRx = 21,
  kGpmNvlinkRx = 60,  // MiB/s, all links
  kGpmNvlinkTx = 61,
};
struct GpmMetric {
  uint32_t id;
  Return result;
  double value;
  const char* short_name;
  const char* long_name;
  const char* unit;
};
inline constexpr int kGpmMetricMax =
    477;  // the newest library's; the library reads `count` of them
struct GpmMetricsGet {
  uint32_t version;  // kGpmVersion
  uint32_t count;
  GpmSample first, second;
  GpmMetric metrics[kGpmMetricMax];
};
struct GpmSupport {
  uint32_t version;  // kGpmVersion
  uint32_t supported;
};
inline constexpr uint32_t kGpmVersion = 1;

static_assert(sizeof(Memory) == 24 && sizeof(MemoryV2) == 40 && sizeof(Utilization) == 8);
static_assert(sizeof(ProcessInfo16) == 16 && sizeof(ProcessInfo24) == 24 &&
              sizeof(ProcessInfo32) == 32);
static_assert(sizeof(ProcessUtilization) == 32 && sizeof(ProcessUtilizationV1) == 40 &&
              sizeof(ProcessesUtilizationV1) == 24);
static_assert(sizeof(Sample) == 16 && sizeof(FieldValue) == 40 && sizeof(PciInfo) == 68);
static_assert(sizeof(DeviceAttributes) == 40 && sizeof(EventData) == 32);
static_assert(sizeof(GpmMetric) == 40 && sizeof(GpmSupport) == 8);

// X(name, parameters): every function returns Return and is optional.
#define GPUSIGHT_NVML_CALLS(X)                                                                     \
  X(nvmlInit_v2, (void))                                                                           \
  X(nvmlInitWithFlags, (unsigned))                                                                 \
  X(nvmlShutdown, (void))                                                                          \
  X(nvmlSystemGetDriverVersion, (char*, unsigned))                                                 \
  X(nvmlSystemGetNVMLVersion, (char*, unsigned))                                                   \
  X(nvmlSystemGetCudaDriverVersion, (int*))                                                        \
  X(nvmlSystemGetCudaDriverVersion_v2, (int*))                                                     \
  X(nvmlDeviceGetCount_v2, (unsigned*))                                                            \
  X(nvmlDeviceGetHandleByIndex_v2, (unsigned, Device*))                                            \
  X(nvmlDeviceGetHandleByUUID, (const char*, Device*))                                             \
  X(nvmlDeviceGetHandleByPciBusId_v2, (const char*, Device*))                                      \
  X(nvmlDeviceGetIndex, (Device, unsigned*))                                                       \
  X(nvmlDeviceGetName, (Device, char*, unsigned))                                                  \
  X(nvmlDeviceGetUUID, (Device, char*, unsigned))                                                  \
  X(nvmlDeviceGetPciInfo_v3, (Device, PciInfo*))                                                   \
  X(nvmlDeviceGetPciInfo_v2, (Device, PciInfo*))                                                   \
  X(nvmlDeviceGetVbiosVersion, (Device, char*, unsigned))                                          \
  X(nvmlDeviceGetMinorNumber, (Device, unsigned*))                                                 \
  X(nvmlDeviceGetArchitecture, (Device, unsigned*))                                                \
  X(nvmlDeviceGetCudaComputeCapability, (Device, int*, int*))                                      \
  X(nvmlDeviceGetNumGpuCores, (Device, unsigned*))                                                 \
  X(nvmlDeviceGetAttributes_v2, (Device, DeviceAttributes*))                                       \
  X(nvmlDeviceGetCpuAffinity, (Device, unsigned, unsigned long*))                                  \
  X(nvmlDeviceGetNumaNodeId, (Device, unsigned*))                                                  \
  X(nvmlDeviceGetC2cModeInfoV, (Device, C2cMode*))                                                 \
  X(nvmlDeviceGetUtilizationRates, (Device, Utilization*))                                         \
  X(nvmlDeviceGetDynamicPstatesInfo, (Device, DynamicPstates*))                                    \
  X(nvmlDeviceGetEncoderUtilization, (Device, unsigned*, unsigned*))                               \
  X(nvmlDeviceGetDecoderUtilization, (Device, unsigned*, unsigned*))                               \
  X(nvmlDeviceGetJpgUtilization, (Device, unsigned*, unsigned*))                                   \
  X(nvmlDeviceGetOfaUtilization, (Device, unsigned*, unsigned*))                                   \
  X(nvmlDeviceGetSamples,                                                                          \
    (Device, SamplingType, unsigned long long, ValueType*, unsigned*, Sample*))                    \
  X(nvmlDeviceGetMemoryInfo, (Device, Memory*))                                                    \
  X(nvmlDeviceGetMemoryInfo_v2, (Device, MemoryV2*))                                               \
  X(nvmlDeviceGetBAR1MemoryInfo, (Device, Bar1Memory*))                                            \
  X(nvmlDeviceGetTemperature, (Device, unsigned, unsigned*))                                       \
  X(nvmlDeviceGetTemperatureThreshold, (Device, unsigned, unsigned*))                              \
  X(nvmlDeviceGetMarginTemperature, (Device, MarginTemperature*))                                  \
  X(nvmlDeviceGetFanSpeed, (Device, unsigned*))                                                    \
  X(nvmlDeviceGetPowerUsage, (Device, unsigned*))                                                  \
  X(nvmlDeviceGetEnforcedPowerLimit, (Device, unsigned*))                                          \
  X(nvmlDeviceGetPowerManagementLimit, (Device, unsigned*))                                        \
  X(nvmlDeviceGetPowerManagementDefaultLimit, (Device, unsigned*))                                 \
  X(nvmlDeviceGetPowerManagementLimitConstraints, (Device, unsigned*, unsigned*))                  \
  X(nvmlDeviceGetTotalEnergyConsumption, (Device, unsigned long long*))                            \
  X(nvmlDeviceGetClockInfo, (Device, unsigned, unsigned*))                                         \
  X(nvmlDeviceGetMaxClockInfo, (Device, unsigned, unsigned*))                                      \
  X(nvmlDeviceGetPerformanceState, (Device, unsigned*))                                            \
  X(nvmlDeviceGetCurrentClocksEventReasons, (Device, unsigned long long*))                         \
  X(nvmlDeviceGetCurrentClocksThrottleReasons, (Device, unsigned long long*))                      \
  X(nvmlDeviceGetViolationStatus, (Device, unsigned, ViolationTime*))                              \
  X(nvmlDeviceGetCurrPcieLinkGeneration, (Device, unsigned*))                                      \
  X(nvmlDeviceGetCurrPcieLinkWidth, (Device, unsigned*))                                           \
  X(nvmlDeviceGetMaxPcieLinkGeneration, (Device, unsigned*))                                       \
  X(nvmlDeviceGetMaxPcieLinkWidth, (Device, unsigned*))                                            \
  X(nvmlDeviceGetPcieThroughput, (Device, unsigned, unsigned*))                                    \
  X(nvmlDeviceGetPcieReplayCounter, (Device, unsigned*))                                           \
  X(nvmlDeviceGetNvLinkState, (Device, unsigned, unsigned*))                                       \
  X(nvmlDeviceGetEccMode, (Device, unsigned*, unsigned*))                                          \
  X(nvmlDeviceGetTotalEccErrors, (Device, unsigned, unsigned, unsigned long long*))                \
  X(nvmlDeviceGetRemappedRows, (Device, unsigned*, unsigned*, unsigned*, unsigned*))               \
  X(nvmlDeviceGetRetiredPages, (Device, unsigned, unsigned*, unsigned long long*))                 \
  X(nvmlDeviceGetPersistenceMode, (Device, unsigned*))                                             \
  X(nvmlDeviceGetComputeMode, (Device, unsigned*))                                                 \
  X(nvmlDeviceGetMigMode, (Device, unsigned*, unsigned*))                                          \
  X(nvmlDeviceGetMaxMigDeviceCount, (Device, unsigned*))                                           \
  X(nvmlDeviceGetMigDeviceHandleByIndex, (Device, unsigned, Device*))                              \
  X(nvmlDeviceGetGpuInstanceId, (Device, unsigned*))                                               \
  X(nvmlDeviceGetComputeInstanceId, (Device, unsigned*))                                           \
  X(nvmlDeviceGetFieldValues, (Device, int, FieldValue*))                                          \
  X(nvmlDeviceGetComputeRunningProcesses_v3, (Device, unsigned*, void*))                           \
  X(nvmlDeviceGetComputeRunningProcesses_v2, (Device, unsigned*, void*))                           \
  X(nvmlDeviceGetComputeRunningProcesses, (Device, unsigned*, void*))                              \
  X(nvmlDeviceGetGraphicsRunningProcesses_v3, (Device, unsigned*, void*))                          \
  X(nvmlDeviceGetGraphicsRunningProcesses_v2, (Device, unsigned*, void*))                          \
  X(nvmlDeviceGetGraphicsRunningProcesses, (Device, unsigned*, void*))                             \
  X(nvmlDeviceGetMPSComputeRunningProcesses_v3, (Device, unsigned*, void*))                        \
  X(nvmlDeviceGetMPSComputeRunningProcesses_v2, (Device, unsigned*, void*))                        \
  X(nvmlDeviceGetMPSComputeRunningProcesses, (Device, unsigned*, void*))                           \
  X(nvmlDeviceGetProcessUtilization, (Device, ProcessUtilization*, unsigned*, unsigned long long)) \
  X(nvmlDeviceGetProcessesUtilizationInfo, (Device, ProcessesUtilizationV1*))                      \
  X(nvmlEventSetCreate, (EventSet*))                                                               \
  X(nvmlDeviceGetSupportedEventTypes, (Device, unsigned long long*))                               \
  X(nvmlDeviceRegisterEvents, (Device, unsigned long long, EventSet))                              \
  X(nvmlEventSetWait_v2, (EventSet, EventData*, unsigned))                                         \
  X(nvmlEventSetFree, (EventSet))                                                                  \
  X(nvmlGpmQueryDeviceSupport, (Device, GpmSupport*))                                              \
  X(nvmlGpmSampleAlloc, (GpmSample*))                                                              \
  X(nvmlGpmSampleFree, (GpmSample))                                                                \
  X(nvmlGpmSampleGet, (Device, GpmSample))                                                         \
  X(nvmlGpmMigSampleGet, (Device, unsigned, GpmSample))                                            \
  X(nvmlGpmMetricsGet, (GpmMetricsGet*))

}  // namespace gpusight::nvml
