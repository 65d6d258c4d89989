// SPDX-License-Identifier: Apache-2.0
// The fake driver as a program sees it: one test for each habit of a real driver that it imitates.
#include <gmock/gmock.h>

#include "testing/fake_nvml/nvml_calls.h"

namespace gpusight::fake {
namespace {

using namespace nvml;  // NOLINT: the driver's own names
using ::testing::StartsWith;

// An initialised driver with the first device's handle, standing at time 0.
struct Machine1 {
  explicit Machine1(const std::string& scenario, const std::string& library = LibraryPath())
      : control(scenario, library), nvml(library) {
    control.SetTime(0);
    init = nvml.nvmlInit_v2();
    if (init == kSuccess) nvml.nvmlDeviceGetHandleByIndex_v2(0, &device);
  }
  ~Machine1() {
    if (init == kSuccess) nvml.nvmlShutdown();
  }
  Control control;
  NvmlCalls nvml;
  Return init = kUnknown;
  Device device = nullptr;
};

TEST(FakeDriver, AnswersAsTheRecordedH200) {
  Machine1 m(Machine("h200-two-jobs"));
  char text[96] = {};
  ASSERT_EQ(m.nvml.nvmlDeviceGetName(m.device, text, sizeof text), kSuccess);
  EXPECT_STREQ(text, "NVIDIA H200");
  ASSERT_EQ(m.nvml.nvmlSystemGetDriverVersion(text, sizeof text), kSuccess);
  EXPECT_STREQ(text, "580.159.04");
  unsigned fan = 7;
  EXPECT_EQ(m.nvml.nvmlDeviceGetFanSpeed(m.device, &fan), kNotSupported);
  EXPECT_EQ(fan, 7u);
}

TEST(FakeDriver, MemoryAddsUpToTheByte) {
  Machine1 m(Machine("h200-two-jobs"));
  MemoryV2 v2{};
  v2.version = kMemoryV2Version;
  ASSERT_EQ(m.nvml.nvmlDeviceGetMemoryInfo_v2(m.device, &v2), kSuccess);
  EXPECT_EQ(v2.total, v2.used + v2.free + v2.reserved);
  EXPECT_EQ(v2.used, 67645734912u + 3688890368u + 20971520u);
  Memory v1{};
  ASSERT_EQ(m.nvml.nvmlDeviceGetMemoryInfo(m.device, &v1), kSuccess);
  EXPECT_EQ(v1.used, v2.used + v2.reserved);
  EXPECT_EQ(v1.free, v2.free);
}

TEST(FakeDriver, MovesWithTheTime) {
  Machine1 m(Machine("h200-two-jobs"));
  Utilization busy{}, stalled{};
  m.nvml.nvmlDeviceGetUtilizationRates(m.device, &busy);
  m.control.SetTime(50);
  m.nvml.nvmlDeviceGetUtilizationRates(m.device, &stalled);
  EXPECT_GT(busy.gpu, 90u);
  EXPECT_LT(stalled.gpu, 10u);
}

TEST(FakeDriver, ListsProcessesByTheDriversProtocol) {
  Machine1 m(Machine("h200-two-jobs"));
  unsigned count = 0;
  EXPECT_EQ(m.nvml.nvmlDeviceGetComputeRunningProcesses_v3(m.device, &count, nullptr),
            kInsufficientSize);
  EXPECT_EQ(count, 2u);
  ProcessInfo24 list[5] = {};
  count = 5;
  ASSERT_EQ(m.nvml.nvmlDeviceGetComputeRunningProcesses_v3(m.device, &count, list), kSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(list[0].pid, 41822u);
  EXPECT_EQ(list[1].used_memory, 3688890368u);
  EXPECT_EQ(list[1].gpu_instance, ~0u);
  count = 5;
  EXPECT_EQ(m.nvml.nvmlDeviceGetGraphicsRunningProcesses_v3(m.device, &count, nullptr), kSuccess);
  EXPECT_EQ(count, 0u);
}

TEST(FakeDriver, CountsCalls) {
  Machine1 m(Machine("h200-two-jobs"));
  const uint64_t before = m.control.Calls("nvmlDeviceGetPowerUsage");
  unsigned milliwatts = 0;
  m.nvml.nvmlDeviceGetPowerUsage(m.device, &milliwatts);
  EXPECT_EQ(m.control.Calls("nvmlDeviceGetPowerUsage"), before + 1);
  EXPECT_EQ(m.control.Calls("nvmlDeviceGetNothing"), ~uint64_t{0});
}

TEST(FakeDriver, IsUninitializedBeforeInitAndAfterShutdown) {
  Machine1 m(Machine("h200-two-jobs"));
  unsigned count = 0;
  EXPECT_EQ(m.nvml.nvmlDeviceGetCount_v2(&count), kSuccess);
  EXPECT_EQ(m.nvml.nvmlShutdown(), kSuccess);
  EXPECT_EQ(m.nvml.nvmlDeviceGetCount_v2(&count), kUninitialized);
  EXPECT_EQ(m.nvml.nvmlShutdown(), kUninitialized);
  EXPECT_EQ(m.nvml.nvmlInit_v2(), kSuccess);
  // The old handle is good again only once it was asked for.
  EXPECT_EQ(m.nvml.nvmlDeviceGetPowerUsage(m.device, &count), kInvalidArgument);
  EXPECT_EQ(m.nvml.nvmlDeviceGetHandleByIndex_v2(0, &m.device), kSuccess);
  EXPECT_EQ(m.nvml.nvmlDeviceGetPowerUsage(m.device, &count), kSuccess);
}

TEST(FakeDriver, LacksTheFunctionsOfAnOlderDriver) {
  const std::string library = LibraryWithout({"nvmlDeviceGetMemoryInfo_v2"});
  Machine1 m(Machine("h200-two-jobs"), library);
  EXPECT_EQ(m.nvml.nvmlDeviceGetMemoryInfo_v2, nullptr);
  ASSERT_NE(m.nvml.nvmlDeviceGetMemoryInfo, nullptr);
  Memory v1{};
  EXPECT_EQ(m.nvml.nvmlDeviceGetMemoryInfo(m.device, &v1), kSuccess);
}

}  // namespace
}  // namespace gpusight::fake
