// SPDX-License-Identifier: Apache-2.0
// The machines of testdata/machines, each with the symptom it is named after.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include "testing/fake_nvml/nvml_calls.h"

namespace gpusight::fake {
namespace {

using namespace nvml;  // NOLINT: the driver's own names

// What was written of a buffer filled with 0xAA.
struct Bytes {
  std::vector<unsigned char> data = std::vector<unsigned char>(512, 0xaa);
  template <typename T>
  T At(size_t offset) const {
    T value;
    std::memcpy(&value, data.data() + offset, sizeof value);
    return value;
  }
  size_t written() const {
    size_t end = data.size();
    while (end > 0 && data[end - 1] == 0xaa) --end;
    return end;
  }
};

Bytes List(Played& m, decltype(m.call.nvmlDeviceGetComputeRunningProcesses) list) {
  Bytes bytes;
  unsigned count = 10;
  EXPECT_EQ(list(m.device, &count, bytes.data.data()), kSuccess);
  EXPECT_EQ(count, 4u);
  return bytes;
}

TEST(Quirks, ProcessRecordsHaveTheStrideOfTheDriver) {
  struct Case {
    const char* machine;
    size_t v1, v3;
  };
  for (const Case& c :
       {Case{"driver-535-16-byte-records", 16, 16}, Case{"driver-535-32-byte-records", 16, 32}}) {
    Played m(Machine(c.machine));
    const Bytes v1 = List(m, m.call.nvmlDeviceGetComputeRunningProcesses);
    const Bytes v3 = List(m, m.call.nvmlDeviceGetComputeRunningProcesses_v3);
    for (uint32_t i = 0; i < 4; ++i) {
      EXPECT_EQ(v1.At<uint32_t>(i * c.v1), 3101 + i);
      EXPECT_EQ(v3.At<uint32_t>(i * c.v3), 3101 + i);
      EXPECT_EQ(v3.At<uint32_t>(i * c.v3 + 4), 0xaaaaaaaau) << "padding is left as it was";
    }
    EXPECT_EQ(v1.written(), 4 * c.v1);
    EXPECT_EQ(v3.written(), 4 * c.v3);
  }
}

TEST(Quirks, OldDriversLackFunctions) {
  const std::string folder = LibraryPath().substr(0, LibraryPath().rfind('/'));
  Played old(Machine("r450-v1-only"), folder + "/r450/libnvidia-ml.so.1");
  EXPECT_EQ(old.call.nvmlDeviceGetComputeRunningProcesses_v2, nullptr);
  EXPECT_EQ(old.call.nvmlDeviceGetComputeRunningProcesses_v3, nullptr);
  EXPECT_EQ(old.call.nvmlDeviceGetMemoryInfo_v2, nullptr);
  EXPECT_EQ(old.call.nvmlGpmMetricsGet, nullptr);
  List(old, old.call.nvmlDeviceGetComputeRunningProcesses);
  const NvmlCalls middle(folder + "/r535-98/libnvidia-ml.so.1");
  EXPECT_EQ(middle.nvmlDeviceGetComputeRunningProcesses_v3, nullptr);
  EXPECT_NE(middle.nvmlDeviceGetComputeRunningProcesses_v2, nullptr);
}

TEST(Quirks, SwappedRecordsAndHiddenMemory) {
  Played swapped(Machine("swapped-records"));
  Bytes bytes;
  unsigned count = 5;
  ASSERT_EQ(swapped.call.nvmlDeviceGetComputeRunningProcesses_v3(swapped.device, &count,
                                                                 bytes.data.data()),
            kSuccess);
  EXPECT_EQ(bytes.At<uint64_t>(0), 67645734912u);
  EXPECT_EQ(bytes.At<uint32_t>(8), 41822u);
  ProcessInfo24 list[5] = {};
  count = 5;
  Played wsl(Machine("wsl2"));
  ASSERT_EQ(wsl.call.nvmlDeviceGetComputeRunningProcesses_v3(wsl.device, &count, list), kSuccess);
  EXPECT_EQ(list[0].used_memory, kValueNotAvailable);
}

TEST(Quirks, MemoryInfoWantsItsExactVersion) {
  Played m(Machine("h200-idle"));
  MemoryV2 memory{};
  memory.version = 2;  // as nvtop asks
  EXPECT_EQ(m.call.nvmlDeviceGetMemoryInfo_v2(m.device, &memory), kFunctionNotFound);
  Played refused(Machine("memory-v2-refused"));
  memory.version = kMemoryV2Version;
  EXPECT_EQ(refused.call.nvmlDeviceGetMemoryInfo_v2(refused.device, &memory),
            kArgumentVersionMismatch);
}

// The rows of process utilisation since `last_seen`, or the code.
std::vector<ProcessUtilization> Uses(Played& m, uint64_t last_seen, Return expected = kSuccess) {
  unsigned count = 256;
  std::vector<ProcessUtilization> rows(count);
  const Return result =
      m.call.nvmlDeviceGetProcessUtilization(m.device, rows.data(), &count, last_seen);
  EXPECT_EQ(result, expected);
  rows.resize(result == kSuccess ? count : 0);
  return rows;
}

TEST(Quirks, IdleMeansNotFoundAndLittleRoomIsRefused) {
  Played m(Machine("h200-idle"));
  unsigned count = 5;
  ProcessUtilization rows[5];
  EXPECT_EQ(m.call.nvmlDeviceGetProcessUtilization(m.device, rows, &count, 0), kInsufficientSize);
  EXPECT_EQ(count, 72u);
  Uses(m, 0, kNotFound);
}

TEST(Quirks, ProcessUtilizationIsTheMeanSinceLastSeen) {
  const TempScenario scenario(R"({"devices": [{"recording": ")" + Recording("h200") + R"("}],
    "processes": [{"pid": 7, "sm_percent": {"points": [[0, 10], [5, 90]], "step": true}}]})");
  Played m(scenario.path());
  m.control.SetTime(6);
  const auto first = Uses(m, 0);
  ASSERT_EQ(first.size(), 1u);
  m.control.SetTime(7);
  const auto second = Uses(m, first[0].time_us);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].sm, 90u);
  EXPECT_EQ(second[0].time_us, first[0].time_us + 1000000);
  Uses(m, second[0].time_us, kNotFound);
}

TEST(Quirks, JunkAndStaleSamples) {
  Played junk(Machine("junk-samples"));
  junk.control.SetTime(5);
  const auto rows = Uses(junk, 0);
  EXPECT_EQ(rows.size(), 100u);
  EXPECT_EQ(rows[0].pid, 41822u);
  EXPECT_GT(rows[1].sm, 100u);
  Played stale(Machine("stale-samples"));
  stale.control.SetTime(30);
  const auto living = Uses(stale, 0);
  ASSERT_EQ(living.size(), 2u);
  EXPECT_EQ(living[1].pid, 41000u);
  const auto again = Uses(stale, living[0].time_us - 1000000);
  ASSERT_EQ(again.size(), 2u) << "the dead one is reported for ever";
  EXPECT_LT(again[1].time_us, living[0].time_us - 1000000);
}

std::vector<Sample> Drain(Played& m, SamplingType type, uint64_t last_seen, unsigned room = 120,
                          Return expected = kSuccess) {
  std::vector<Sample> samples(room);
  ValueType value_type{};
  const Return result =
      m.call.nvmlDeviceGetSamples(m.device, type, last_seen, &value_type, &room, samples.data());
  EXPECT_EQ(result, expected);
  samples.resize(result == kSuccess ? room : 0);
  return samples;
}

TEST(Quirks, RingsAreDrainedByTimestamp) {
  Played m(Machine("h200-two-jobs"));
  ValueType type{};
  unsigned slots = 0;
  EXPECT_EQ(
      m.call.nvmlDeviceGetSamples(m.device, kGpuUtilizationSamples, 0, &type, &slots, nullptr),
      kSuccess);
  EXPECT_EQ(slots, 72u);
  const auto first = Drain(m, kGpuUtilizationSamples, 0);
  ASSERT_EQ(first.size(), 71u);
  EXPECT_EQ(first[1].time_us - first[0].time_us, 200000u);
  m.control.SetTime(1);
  const auto second = Drain(m, kGpuUtilizationSamples, first.back().time_us);
  ASSERT_EQ(second.size(), 5u);
  EXPECT_EQ(second[0].time_us, first.back().time_us + 200000);
  Drain(m, kGpuUtilizationSamples, second.back().time_us, 120, kNotFound);
  EXPECT_EQ(Drain(m, kTotalPowerSamples, 0).size(), 119u);
  const auto oldest = Drain(m, kTotalPowerSamples, 0, 3);
  ASSERT_EQ(oldest.size(), 3u);
  EXPECT_LT(oldest[2].time_us, second[0].time_us - 1000000) << "a small buffer gets the oldest";
  EXPECT_NE(oldest[0].value.u64, oldest[0].value.u32) << "only four of eight bytes are written";
}

TEST(Quirks, ASteppedClockDatesTheRingsAnew) {
  Played m(Machine("clock-step"));
  m.control.SetTime(2.9);
  const auto before = Drain(m, kGpuUtilizationSamples, 0);
  m.control.SetTime(3);
  const auto after = Drain(m, kGpuUtilizationSamples, before.back().time_us);
  ASSERT_EQ(after.size(), 2u);
  EXPECT_EQ(after[0].time_us, before.back().time_us + 435) << "the same sample once more";
}

double Gpm(Played& m, uint32_t id, double from, double to, Return expected = kSuccess) {
  GpmSample a = nullptr, b = nullptr;
  m.call.nvmlGpmSampleAlloc(&a);
  m.call.nvmlGpmSampleAlloc(&b);
  m.control.SetTime(from);
  EXPECT_EQ(m.call.nvmlGpmSampleGet(m.device, a), kSuccess);
  m.control.SetTime(to);
  EXPECT_EQ(m.call.nvmlGpmSampleGet(m.device, b), kSuccess);
  auto get = std::make_unique<GpmMetricsGet>();
  get->version = kGpmVersion;
  get->count = 1;
  get->first = a;
  get->second = b;
  get->metrics[0].id = id;
  EXPECT_EQ(m.call.nvmlGpmMetricsGet(get.get()), kSuccess);
  EXPECT_EQ(get->metrics[0].result, expected);
  m.call.nvmlGpmSampleFree(a);
  m.call.nvmlGpmSampleFree(b);
  return get->metrics[0].value;
}

TEST(Quirks, GpmSucceedsWithRubbishWhenAskedTooSoon) {
  Played m(Machine("h200-two-jobs"));
  EXPECT_NEAR(Gpm(m, kGpmSm, 1, 2), 87, 3);
  EXPECT_EQ(Gpm(m, kGpmSm, 1.01, 1.05), 0);
  EXPECT_TRUE(std::isnan(Gpm(m, kGpmDram, 1.01, 1.05)));
  EXPECT_EQ(Gpm(m, kGpmSm, 3, 2), 100);
  EXPECT_EQ(Gpm(m, 8, 1, 2), 0) << "no such metric, but success";
  Gpm(m, 210, 1, 2, kInvalidArgument);
}

TEST(Quirks, FieldValuesFailOneByOne) {
  Played m(Machine("h200-two-jobs"));
  FieldValue fields[6];
  std::memset(static_cast<void*>(fields), 0xaa, sizeof fields);
  const uint32_t ids[] = {82, 3, 138, 147, 300, 185};
  for (size_t i = 0; i < 6; ++i) {
    fields[i].field = ids[i];
    fields[i].scope = ids[i] == 185 ? 2 : 0;
  }
  ASSERT_EQ(m.call.nvmlDeviceGetFieldValues(m.device, 6, fields), kSuccess);
  EXPECT_EQ(fields[0].result, kSuccess);
  EXPECT_EQ(fields[0].value.u64, 0xaaaaaaaa00000000u + 53) << "half of the value is written";
  EXPECT_EQ(fields[1].result, kSuccess);
  EXPECT_EQ(fields[1].value.u64, 0xaaaaaaaaaaaaaaaau) << "success, and nothing written";
  EXPECT_EQ(fields[2].result, kNotSupported);
  int untouched = 0;
  std::memcpy(&untouched, &fields[3].result, sizeof untouched);
  EXPECT_EQ(static_cast<uint32_t>(untouched), 0xaaaaaaaau) << "not even the result";
  EXPECT_EQ(fields[4].result, kInvalidArgument);
  EXPECT_EQ(fields[5].value.u32, 130000u) << "the memory's share of the power";
}

TEST(Quirks, PcieByteCountersWrap) {
  Played m(Machine("h200-two-jobs"));
  FieldValue field{};
  uint32_t last = 0;
  bool wrapped = false;
  for (int t = 0; t < 5; ++t) {
    m.control.SetTime(t);
    field.field = kFieldPcieRxBytes;
    ASSERT_EQ(m.call.nvmlDeviceGetFieldValues(m.device, 1, &field), kSuccess);
    wrapped |= field.value.u32 < last;
    last = field.value.u32;
  }
  EXPECT_TRUE(wrapped) << "4 GB/s for 5 s";
}

TEST(Quirks, MigInstancesHaveMemoryAndTheGpuNoUtilization) {
  Played m(Machine("h200-mig"));
  Utilization utilization{};
  EXPECT_EQ(m.call.nvmlDeviceGetUtilizationRates(m.device, &utilization), kNotSupported);
  Uses(m, 0, kNotSupported);
  unsigned current = 0, pending = 0, id = 0;
  EXPECT_EQ(m.call.nvmlDeviceGetMigMode(m.device, &current, &pending), kSuccess);
  EXPECT_EQ(current, 1u);
  EXPECT_EQ(m.call.nvmlDeviceGetGpuInstanceId(m.device, &id), kInvalidArgument);
  Device mig = nullptr;
  EXPECT_EQ(m.call.nvmlDeviceGetMigDeviceHandleByIndex(m.device, 5, &mig), kNotFound);
  ASSERT_EQ(m.call.nvmlDeviceGetMigDeviceHandleByIndex(m.device, 1, &mig), kSuccess);
  char uuid[96] = {};
  EXPECT_EQ(m.call.nvmlDeviceGetUUID(mig, uuid, sizeof uuid), kSuccess);
  EXPECT_STREQ(uuid, "MIG-0a1b2c3d-1111-5222-8333-444455556602");
  EXPECT_EQ(m.call.nvmlDeviceGetGpuInstanceId(mig, &id), kSuccess);
  EXPECT_EQ(id, 3u);
  MemoryV2 memory{};
  memory.version = kMemoryV2Version;
  ASSERT_EQ(m.call.nvmlDeviceGetMemoryInfo_v2(mig, &memory), kSuccess);
  EXPECT_EQ(memory.used, 3688890368u + 33554432u);
  ProcessInfo24 list[5] = {};
  unsigned count = 5;
  ASSERT_EQ(m.call.nvmlDeviceGetComputeRunningProcesses_v3(mig, &count, list), kSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(list[0].gpu_instance, 3u);
  unsigned watts = 0;
  EXPECT_EQ(m.call.nvmlDeviceGetPowerUsage(mig, &watts), kNotSupported);
}

TEST(Quirks, ALostGpuAffectsOnlyItself) {
  Played m(Machine("gpu-lost"));
  Device second = nullptr;
  ASSERT_EQ(m.call.nvmlDeviceGetHandleByIndex_v2(1, &second), kSuccess);
  m.control.SetTime(6);
  unsigned watts = 0, count = 0;
  Device again = nullptr;
  EXPECT_EQ(m.call.nvmlDeviceGetPowerUsage(m.device, &watts), kSuccess);
  EXPECT_EQ(m.call.nvmlDeviceGetPowerUsage(second, &watts), kGpuIsLost);
  EXPECT_EQ(m.call.nvmlDeviceGetHandleByIndex_v2(1, &again), kGpuIsLost);
  EXPECT_EQ(m.call.nvmlDeviceGetCount_v2(&count), kSuccess);
  EXPECT_EQ(count, 2u);
  m.control.SetTime(15);
  EXPECT_EQ(m.call.nvmlDeviceGetPowerUsage(second, &watts), kSuccess);
}

TEST(Quirks, AnAbsentGpuMovesTheIndicesOfTheOthers) {
  Played m(Machine("gpu-absent"));
  m.control.SetTime(6);
  unsigned count = 0;
  EXPECT_EQ(m.call.nvmlDeviceGetCount_v2(&count), kSuccess);
  EXPECT_EQ(count, 1u);
  Device first = nullptr;
  ASSERT_EQ(m.call.nvmlDeviceGetHandleByIndex_v2(0, &first), kSuccess);
  char uuid[96] = {};
  EXPECT_EQ(m.call.nvmlDeviceGetUUID(first, uuid, sizeof uuid), kSuccess);
  EXPECT_STREQ(uuid, "GPU-55555555-6666-7777-8888-999999999999");
  EXPECT_EQ(m.call.nvmlDeviceGetUUID(m.device, uuid, sizeof uuid), kGpuIsLost);
}

TEST(Quirks, CodesOfTheWholeDriver) {
  EXPECT_EQ(Played(Machine("version-mismatch")).init, kLibRmVersionMismatch);
  EXPECT_EQ(Played(Machine("driver-not-loaded")).init, kDriverNotLoaded);
  EXPECT_EQ(Played(Machine("no-permission-at-all")).init, kNoPermission);
  Played container(Machine("daemon-reload"));
  container.control.SetTime(6);
  unsigned value = 0;
  EXPECT_EQ(container.call.nvmlDeviceGetPowerUsage(container.device, &value), kUnknown);
  EXPECT_EQ(container.call.nvmlInit_v2(), kUnknown);
  Played reloaded(Machine("driver-reload"));
  reloaded.control.SetTime(6);
  EXPECT_EQ(reloaded.call.nvmlDeviceGetPowerUsage(reloaded.device, &value), kLibRmVersionMismatch);
  reloaded.control.SetTime(11);
  EXPECT_EQ(reloaded.call.nvmlDeviceGetPowerUsage(reloaded.device, &value), kLibRmVersionMismatch);
  EXPECT_EQ(reloaded.call.nvmlInit_v2(), kSuccess);
  EXPECT_EQ(reloaded.call.nvmlDeviceGetPowerUsage(reloaded.device, &value), kInvalidArgument);
  EXPECT_EQ(reloaded.call.nvmlDeviceGetHandleByIndex_v2(0, &reloaded.device), kSuccess);
  EXPECT_EQ(reloaded.call.nvmlDeviceGetPowerUsage(reloaded.device, &value), kSuccess);
  Played flaky(Machine("flaky"));
  EXPECT_EQ(flaky.init, kUnknown);
  EXPECT_EQ(flaky.call.nvmlInit_v2(), kUnknown);
  EXPECT_EQ(flaky.call.nvmlInit_v2(), kSuccess);
  Played empty(Machine("no-devices"));
  EXPECT_EQ(empty.call.nvmlDeviceGetCount_v2(&value), kSuccess);
  EXPECT_EQ(value, 0u);
}

TEST(Quirks, OneDeviceMayBeForbidden) {
  Played m(Machine("no-permission"));
  Device second = nullptr;
  EXPECT_NE(m.device, nullptr);
  EXPECT_EQ(m.call.nvmlDeviceGetHandleByIndex_v2(1, &second), kNoPermission);
}

TEST(Quirks, AHungCallComesBackWhenItsWindowEndsAndBlocksNoOther) {
  Played m(Machine("hang-utilization"));
  m.control.SetTime(4);
  Utilization utilization{};
  std::atomic<bool> back{false};
  const uint64_t before = m.control.Calls("nvmlDeviceGetUtilizationRates");
  std::jthread hung([&] {
    EXPECT_EQ(m.call.nvmlDeviceGetUtilizationRates(m.device, &utilization), kSuccess);
    back = true;
  });
  while (m.control.Calls("nvmlDeviceGetUtilizationRates") == before) std::this_thread::yield();
  unsigned watts = 0;
  EXPECT_EQ(m.call.nvmlDeviceGetPowerUsage(m.device, &watts), kSuccess);
  EXPECT_FALSE(back);
  m.control.SetTime(8);
  hung.join();
  EXPECT_TRUE(back);
}

TEST(Quirks, XidsAreDeliveredInTheirOrder) {
  Played m(Machine("xid"));
  EventSet set = nullptr;
  ASSERT_EQ(m.call.nvmlEventSetCreate(&set), kSuccess);
  ASSERT_EQ(m.call.nvmlDeviceRegisterEvents(m.device, kEventXid, set), kSuccess);
  EventData event{};
  EXPECT_EQ(m.call.nvmlEventSetWait_v2(set, &event, 0), kTimeout);
  std::jthread clock([&] { m.control.SetTime(6.2); });
  ASSERT_EQ(m.call.nvmlEventSetWait_v2(set, &event, 10000), kSuccess);
  EXPECT_EQ(event.data, 31u);
  EXPECT_EQ(event.device, m.device);
  ASSERT_EQ(m.call.nvmlEventSetWait_v2(set, &event, 10000), kSuccess);
  EXPECT_EQ(event.data, 94u);
  EXPECT_EQ(event.gpu_instance, ~0u);
  EXPECT_EQ(m.call.nvmlEventSetWait_v2(set, &event, 0), kTimeout);
  EXPECT_EQ(m.call.nvmlEventSetFree(set), kSuccess);
}

TEST(Quirks, OutsidersShowOnlyInProcessUtilization) {
  Played m(Machine("inside-a-container"));
  m.control.SetTime(5);
  unsigned count = 0;
  EXPECT_EQ(m.call.nvmlDeviceGetComputeRunningProcesses_v3(m.device, &count, nullptr),
            kInsufficientSize);
  EXPECT_EQ(count, 1u);
  const auto uses = Uses(m, 0);
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[1].pid, 418u);
}

TEST(Quirks, UnifiedMemoryIsNotSupported) {
  Played m(Machine("unified-memory"));
  Memory memory{};
  EXPECT_EQ(m.call.nvmlDeviceGetMemoryInfo(m.device, &memory), kNotSupported);
  Played jetson(Machine("jetson"));
  EXPECT_EQ(jetson.call.nvmlDeviceGetMemoryInfo(jetson.device, &memory), kNotSupported);
}

}  // namespace
}  // namespace gpusight::fake
