// SPDX-License-Identifier: Apache-2.0
// The fake driver as a program sees it: one test for each habit of a real driver that it imitates.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testing/fake_nvml/nvml_calls.h"

namespace gpusight::fake {
namespace {

using namespace nvml;  // NOLINT: the driver's own names

TEST(FakeDriver, AnswersAsTheRecordedH200) {
  Played m(Machine("h200-two-jobs"));
  char text[96] = {};
  ASSERT_EQ(m.call.nvmlDeviceGetName(m.device, text, sizeof text), kSuccess);
  EXPECT_STREQ(text, "NVIDIA H200");
  ASSERT_EQ(m.call.nvmlSystemGetDriverVersion(text, sizeof text), kSuccess);
  EXPECT_STREQ(text, "580.159.04");
  unsigned fan = 7;
  EXPECT_EQ(m.call.nvmlDeviceGetFanSpeed(m.device, &fan), kNotSupported);
  EXPECT_EQ(fan, 7u);
}

TEST(FakeDriver, MemoryAddsUpToTheByte) {
  Played m(Machine("h200-two-jobs"));
  MemoryV2 v2{};
  v2.version = kMemoryV2Version;
  ASSERT_EQ(m.call.nvmlDeviceGetMemoryInfo_v2(m.device, &v2), kSuccess);
  EXPECT_EQ(v2.total, v2.used + v2.free + v2.reserved);
  EXPECT_EQ(v2.used, 67645734912u + 3688890368u + 20971520u);
  Memory v1{};
  ASSERT_EQ(m.call.nvmlDeviceGetMemoryInfo(m.device, &v1), kSuccess);
  EXPECT_EQ(v1.used, v2.used + v2.reserved);
  EXPECT_EQ(v1.free, v2.free);
}

TEST(FakeDriver, MovesWithTheTime) {
  Played m(Machine("h200-two-jobs"));
  Utilization busy{}, stalled{};
  m.call.nvmlDeviceGetUtilizationRates(m.device, &busy);
  m.control.SetTime(50);
  m.call.nvmlDeviceGetUtilizationRates(m.device, &stalled);
  EXPECT_GT(busy.gpu, 90u);
  EXPECT_LT(stalled.gpu, 10u);
}

TEST(FakeDriver, ListsProcessesByTheDriversProtocol) {
  Played m(Machine("h200-two-jobs"));
  unsigned count = 0;
  EXPECT_EQ(m.call.nvmlDeviceGetComputeRunningProcesses_v3(m.device, &count, nullptr),
            kInsufficientSize);
  EXPECT_EQ(count, 2u);
  ProcessInfo24 list[5] = {};
  count = 5;
  ASSERT_EQ(m.call.nvmlDeviceGetComputeRunningProcesses_v3(m.device, &count, list), kSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(list[0].pid, 41822u);
  EXPECT_EQ(list[1].used_memory, 3688890368u);
  EXPECT_EQ(list[1].gpu_instance, ~0u);
  count = 5;
  EXPECT_EQ(m.call.nvmlDeviceGetGraphicsRunningProcesses_v3(m.device, &count, nullptr), kSuccess);
  EXPECT_EQ(count, 0u);
}

TEST(FakeDriver, CountsCalls) {
  Played m(Machine("h200-two-jobs"));
  const uint64_t before = m.control.Calls("nvmlDeviceGetPowerUsage");
  unsigned milliwatts = 0;
  m.call.nvmlDeviceGetPowerUsage(m.device, &milliwatts);
  EXPECT_EQ(m.control.Calls("nvmlDeviceGetPowerUsage"), before + 1);
  EXPECT_EQ(m.control.Calls("nvmlDeviceGetNothing"), ~uint64_t{0});
}

TEST(FakeDriver, IsUninitializedBeforeInitAndAfterShutdown) {
  Played m(Machine("h200-two-jobs"));
  unsigned count = 0;
  EXPECT_EQ(m.call.nvmlDeviceGetCount_v2(&count), kSuccess);
  EXPECT_EQ(m.call.nvmlShutdown(), kSuccess);
  EXPECT_EQ(m.call.nvmlDeviceGetCount_v2(&count), kUninitialized);
  EXPECT_EQ(m.call.nvmlShutdown(), kUninitialized);
  EXPECT_EQ(m.call.nvmlInit_v2(), kSuccess);
  // The old handle is good again only once it was asked for.
  EXPECT_EQ(m.call.nvmlDeviceGetPowerUsage(m.device, &count), kInvalidArgument);
  EXPECT_EQ(m.call.nvmlDeviceGetHandleByIndex_v2(0, &m.device), kSuccess);
  EXPECT_EQ(m.call.nvmlDeviceGetPowerUsage(m.device, &count), kSuccess);
}

TEST(FakeDriver, RefusesTextThatDoesNotFit) {
  Played m(Machine("h200-two-jobs"));
  char text[12] = "untouched";
  EXPECT_EQ(m.call.nvmlDeviceGetName(m.device, text, 11), kInsufficientSize);
  EXPECT_STREQ(text, "untouched");
  EXPECT_EQ(m.call.nvmlDeviceGetName(m.device, text, 12), kSuccess);
  EXPECT_EQ(m.call.nvmlSystemGetProcessName(41822, text, 5), kSuccess);
  EXPECT_STREQ(text, "/opt");
  EXPECT_EQ(m.call.nvmlSystemGetProcessName(1, text, 5), kNotFound);
}

TEST(FakeDriver, FindsDevicesByEveryName) {
  Played m(Machine("two-h200"));
  Device device = nullptr;
  EXPECT_EQ(m.call.nvmlDeviceGetHandleByIndex_v2(2, &device), kInvalidArgument);
  const std::string uuid = "GPU-55555555-6666-7777-8888-999999999999";
  ASSERT_EQ(m.call.nvmlDeviceGetHandleByUUID(uuid.c_str(), &device), kSuccess);
  unsigned index = 9;
  EXPECT_EQ(m.call.nvmlDeviceGetIndex(device, &index), kSuccess);
  EXPECT_EQ(index, 1u);
  EXPECT_EQ(m.call.nvmlDeviceGetHandleByUUID(uuid.c_str() + 4, &device), kSuccess);
  EXPECT_EQ(m.call.nvmlDeviceGetHandleByUUID("gpu-55555555", &device), kNotFound);
  struct Case {
    const char* id;
    Return result;
  };
  for (const Case& c : {Case{"00000000:00:06.0", kSuccess}, Case{"0000:00:06.0", kSuccess},
                        Case{"00:06.0", kSuccess}, Case{"0000:00:06", kSuccess},
                        Case{"0000:00:06.1", kInvalidArgument}, Case{"0000:00:09.0", kNotFound},
                        Case{"", kInvalidArgument}, Case{"junk", kInvalidArgument}}) {
    EXPECT_EQ(m.call.nvmlDeviceGetHandleByPciBusId_v2(c.id, &device), c.result) << c.id;
  }
}

TEST(FakeDriver, MustBeInitialisedAgainAfterAFork) {
  Played m(Machine("h200-two-jobs"));
  const pid_t child = fork();
  if (child == 0) {
    unsigned count = 0;
    const bool good = m.call.nvmlDeviceGetCount_v2(&count) == kUninitialized &&
                      m.call.nvmlInit_v2() == kSuccess &&
                      m.call.nvmlDeviceGetCount_v2(&count) == kSuccess && count == 1;
    _exit(good ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(FakeDriver, ExplainsABrokenScenarioAndFails) {
  Played m(Machine("h200-two-jobs"));
  m.call.nvmlShutdown();
  const TempScenario broken("{\n \"devices\": 5}");
  setenv("GPUSIGHT_FAKE_SCENARIO", broken.path().c_str(), 1);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(m.call.nvmlInit_v2(), kDriverNotLoaded);
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(text, "fake libnvidia-ml: " + broken.path() + ": devices: expected a list\n");
}

TEST(FakeDriver, LacksTheFunctionsOfAnOlderDriver) {
  const std::string library = LibraryWithout({"nvmlDeviceGetMemoryInfo_v2"});
  Played m(Machine("h200-two-jobs"), library);
  EXPECT_EQ(m.call.nvmlDeviceGetMemoryInfo_v2, nullptr);
  ASSERT_NE(m.call.nvmlDeviceGetMemoryInfo, nullptr);
  Memory v1{};
  EXPECT_EQ(m.call.nvmlDeviceGetMemoryInfo(m.device, &v1), kSuccess);
}

}  // namespace
}  // namespace gpusight::fake
