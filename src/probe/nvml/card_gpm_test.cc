// SPDX-License-Identifier: Apache-2.0
// The probe on the fake driver: GPM, link traffic and MIG instances.
#include <gmock/gmock.h>

#include "testing/fake_card.h"

namespace gpusight::nvml {
namespace {

using F = DeviceField;

constexpr double kMiB = 1048576;

Known<double> Because(Absence why) { return why; }

const char* const kBusy = R"({"recording": "h200",
    "tracks": {"utilization_percent": 99, "pcie_rx_mib_per_s": 4000, "pcie_tx_mib_per_s": 250},
    "gpm": {"1": 92, "2": 87, "3": 21, "5": 66, "10": 26, "12": 1.5}})";

TEST(CardGpm, IsNotSampledYetInTheFirstFrame) {
  FakeCard card({.devices = kBusy});
  EXPECT_EQ(Field(card.At(1), F::kSmActivity), Because(Absence::kNotSampledYet));
}

TEST(CardGpm, IsOfTheIntervalBetweenTwoFrames) {
  FakeCard card(
      {.devices = R"({"recording": "h200", "gpm": {"2": {"points": [[0, 0], [10, 100]]}}})"});
  card.At(1);
  EXPECT_NEAR(*Field(card.At(3), F::kSmActivity), 0.20, 0.005);
  EXPECT_NEAR(*Field(card.At(5), F::kSmActivity), 0.40, 0.005);
}

TEST(CardGpm, GivesActivityAndTraffic) {
  FakeCard card({.devices = kBusy});
  card.At(1);
  const Frame& frame = card.At(2);
  EXPECT_EQ(Field(frame, F::kSmActivity), Known<double>(0.87));
  EXPECT_EQ(Field(frame, F::kSmOccupancy), Known<double>(0.21));
  EXPECT_EQ(Field(frame, F::kTensorActivity), Known<double>(0.66));
  EXPECT_EQ(Field(frame, F::kDramActivity), Known<double>(0.26));
  EXPECT_EQ(Field(frame, F::kPcieReceive), Known<double>(4000 * kMiB));
  EXPECT_EQ(Field(frame, F::kPcieTransmit), Known<double>(250 * kMiB));
  EXPECT_EQ(Field(frame, F::kGraphicsActivity), Known<double>(0.92));
}

// It costs a thousand times as much as the others and is read seldom. In a recording of an H200 the
// 0 of the first second stood beside 76 % of the SMs for half a minute.
TEST(CardGpm, GraphicsActivityIsOnlyOfTheIntervalInWhichItWasRead) {
  FakeCard card({.devices = kBusy, .options = {.budget = 1e-12}});
  card.At(1);
  EXPECT_EQ(Field(card.At(2), F::kGraphicsActivity), Known<double>(0.92));
  EXPECT_EQ(Field(card.At(3), F::kGraphicsActivity), Because(Absence::kNotSampledYet));
  EXPECT_EQ(Field(card.frame, F::kSmActivity), Known<double>(0.87));
}

TEST(CardGpm, FramesNearerThanItsGridKeepTheLastFigures) {
  FakeCard card({.devices = kBusy});
  card.At(1);
  card.At(2);
  EXPECT_EQ(Field(card.At(2.05), F::kSmActivity), Known<double>(0.87));
  EXPECT_EQ(Field(card.frame, F::kDramActivity), Known<double>(0.26));
}

// Frames more than 0.1 s apart may still have their samples in one slot of the driver's grid.
TEST(CardGpm, ASampleOfTheSameSlotLengthensTheNextInterval) {
  FakeCard card(
      {.devices = R"({"recording": "h200", "gpm": {"2": {"points": [[0, 0], [10, 100]]}}})",
       .rules = R"({"calls": "nvmlGpmSampleGet", "delay_seconds": 0.001})"});
  card.At(1.0);
  card.At(2.0);
  const Known<double> before = Field(card.frame, F::kSmActivity);
  EXPECT_EQ(Field(card.At(2.0999999), F::kSmActivity), before);  // a hair too soon for the grid
  EXPECT_TRUE(Field(card.At(2.3), F::kSmActivity).known());
  EXPECT_GT(*Field(card.frame, F::kSmActivity), *before);
}

TEST(CardGpm, NvlinkTrafficWithoutALinkIsNotSupportedNotZero) {
  FakeCard card({.devices = kBusy});
  card.At(1);
  EXPECT_EQ(Field(card.At(2), F::kNvlinkReceive), Because(Absence::kNotSupported));
}

TEST(CardGpm, IsNotSupportedOnOlderCardsAndNotAskedAgain) {
  FakeCard card({.rules = R"({"calls": "nvmlGpmQueryDeviceSupport", "value": [0]})"});
  card.At(1);
  const uint64_t asked = card.Calls("nvmlGpmQueryDeviceSupport");
  EXPECT_EQ(Field(card.At(2), F::kSmActivity), Because(Absence::kNotSupported));
  EXPECT_EQ(card.Calls("nvmlGpmQueryDeviceSupport"), asked);
}

TEST(CardGpm, CountersHeldByAnotherProfilerAreNamed) {
  FakeCard card(
      {.devices = kBusy, .rules = R"({"calls": "nvmlGpmSampleGet", "code": 19, "until": 3})"});
  card.At(1);
  EXPECT_EQ(Field(card.At(2), F::kSmActivity), Because(Absence::kCountersTaken));
  card.At(4);
  EXPECT_TRUE(Field(card.At(5), F::kSmActivity).known());
}

TEST(CardGpm, ZerosOnABusyDeviceMeanThatTheCountersAreTaken) {
  FakeCard card({.devices = R"({"recording": "h200", "tracks": {"utilization_percent": 99},
      "gpm": {"2": 0, "3": 0, "4": 0, "5": 0, "6": 0, "7": 0, "9": 0, "10": 0, "11": 0, "12": 0,
              "13": 0, "1": 0}})"});
  card.At(1);
  card.At(2);
  EXPECT_EQ(Field(card.At(3), F::kSmActivity), Because(Absence::kCountersTaken));
}

TEST(CardGpm, WithoutItPcieTrafficComesFromTheSlowCallAndRarely) {
  FakeCard card({.rules = R"({"calls": "nvmlGpmQueryDeviceSupport", "code": 3},
                             {"calls": "nvmlDeviceGetPcieThroughput/0", "value": [1000]},
                             {"calls": "nvmlDeviceGetPcieThroughput/1", "value": [5000]})"});
  card.At(1);
  const uint64_t asked = card.Calls("nvmlDeviceGetPcieThroughput");
  EXPECT_EQ(Field(card.At(2), F::kPcieTransmit), Known<double>(1000 * 1024.0));
  EXPECT_EQ(Field(card.frame, F::kPcieReceive), Known<double>(5000 * 1024.0));
  for (int second = 3; second < 12; ++second) card.At(second);
  EXPECT_EQ(card.Calls("nvmlDeviceGetPcieThroughput"), asked + 2);
}

TEST(CardGpm, WithoutItNvlinkTrafficComesFromTheCounters) {
  FakeCard card({.devices = R"({"recording": "h200", "override": {
      "nvmlDeviceGetNvLinkState/0": {"v": 1}, "nvmlDeviceGetNvLinkState/1": {"v": 1},
      "nvmlDeviceGetFieldValues/138,4294967295": {"type": 3, "v": 1000},
      "nvmlDeviceGetFieldValues/139,4294967295": {"type": 3, "v": 5000}}})",
                 .rules = R"({"calls": "nvmlGpmQueryDeviceSupport", "code": 3},
      {"calls": "nvmlDeviceGetFieldValues/138,4294967295", "from": 1.5, "value": 3000},
      {"calls": "nvmlDeviceGetFieldValues/139,4294967295", "from": 1.5, "value": 9000})"});
  EXPECT_EQ(Field(card.At(1), F::kNvlinkReceive), Because(Absence::kNotSampledYet));
  EXPECT_EQ(Field(card.frame, F::kNvlinkLinks), Known<double>(2.0));
  card.At(3);
  EXPECT_EQ(Field(card.frame, F::kNvlinkTransmit), Known<double>(1000 * 1024.0));
  EXPECT_EQ(Field(card.frame, F::kNvlinkReceive), Known<double>(2000 * 1024.0));
}

TEST(CardGpm, TheSlowPcieCallIsNeverMadeWhereGpmGivesTheTraffic) {
  FakeCard card({.devices = kBusy});
  const uint64_t asked = card.Calls("nvmlDeviceGetPcieThroughput");
  for (int second = 1; second < 30; ++second) card.At(second);
  EXPECT_EQ(card.Calls("nvmlDeviceGetPcieThroughput"), asked);
}

const char* const kMig = R"({"recording": "h200", "mig_mode": true, "mig": [
    {"uuid": "MIG-11111111-2222-3333-4444-555555555555", "name": "NVIDIA H200 MIG 3g.71gb",
     "gpu_instance": 1, "compute_instance": 0, "attributes": [60, 3, 3, 0, 3, 0, 3, 3, 70656],
     "memory": {"total_bytes": 75000000000, "reserved_bytes": 100000000},
     "gpm": {"2": 50, "10": 20}},
    {"uuid": "MIG-GPU-00000000-1111-2222-3333-444444444444/5/0", "gpu_instance": 5,
     "compute_instance": 0, "memory": {"total_bytes": 18000000000}, "gpm": {"2": 10}}]})";

TEST(CardMig, InstancesFollowTheirGpuWithTheirOwnIdentityAndMemory) {
  FakeCard card({.devices = kMig});
  const Frame& frame = card.At(1);
  ASSERT_EQ(frame.devices.size(), 3u);
  const DeviceInfo& info = frame.devices[1].info;
  EXPECT_TRUE(frame.devices[1].is_mig_instance());
  EXPECT_EQ(info.uuid, "MIG-11111111-2222-3333-4444-555555555555");
  EXPECT_EQ(info.parent_uuid, frame.devices[0].info.uuid);
  EXPECT_EQ(info.name, "NVIDIA H200 MIG 3g.71gb");
  EXPECT_EQ(info.gpu_instance, 1);
  EXPECT_EQ(info.compute_instance, 0);
  EXPECT_EQ(info.multiprocessors, 60);
  EXPECT_EQ(frame.devices[2].info.uuid, "MIG-GPU-00000000-1111-2222-3333-444444444444/5/0");
  EXPECT_EQ(Field(frame, F::kMemoryTotal, 1), Known<double>(75e9));
  EXPECT_EQ(Field(frame, F::kMemoryTotal, 2), Known<double>(18e9));
}

TEST(CardMig, UtilisationIsMissingUnderMigWithThatReason) {
  FakeCard card({.devices = kMig});
  const Frame& frame = card.At(1);
  EXPECT_EQ(Field(frame, F::kUtilization, 0), Because(Absence::kUnderMig));
  EXPECT_EQ(Field(frame, F::kUtilizationMean, 0), Because(Absence::kUnderMig));
  EXPECT_EQ(Field(frame, F::kUtilization, 1), Because(Absence::kUnderMig));
  EXPECT_TRUE(Field(frame, F::kPower, 0).known());
  EXPECT_TRUE(Field(frame, F::kTemperature, 0).known());
}

TEST(CardMig, EachInstanceHasItsOwnActivity) {
  FakeCard card({.devices = kMig});
  card.At(1);
  const Frame& frame = card.At(2);
  EXPECT_EQ(Field(frame, F::kSmActivity, 1), Known<double>(0.5));
  EXPECT_EQ(Field(frame, F::kDramActivity, 1), Known<double>(0.2));
  EXPECT_EQ(Field(frame, F::kSmActivity, 2), Known<double>(0.1));
}

TEST(CardMig, ProcessesBelongToTheirInstance) {
  FakeCard card({.devices = kMig, .processes = R"(
      {"pid": 600, "memory_bytes": 1048576, "gpu_instance": 1, "compute_instance": 0},
      {"pid": 601, "memory_bytes": 2097152, "gpu_instance": 5, "compute_instance": 0})"});
  const Frame& frame = card.At(1);
  ASSERT_NE(UseOf(frame, 600, 1), nullptr);
  EXPECT_EQ(UseOf(frame, 600, 0), nullptr);
  EXPECT_EQ(UseOf(frame, 601, 2)->fields[UseField::kMemory], Known<double>(2 * kMiB));
  EXPECT_EQ(UseOf(frame, 600, 1)->fields[UseField::kSm], Because(Absence::kUnderMig));
  EXPECT_EQ(frame.devices[0].process_count, Because(Absence::kUnderMig));
  EXPECT_EQ(frame.devices[1].process_count, Known<double>(1.0));
}

TEST(CardMig, InstancesKeepTheirFiguresWhenTheyAreLookedForAgain) {
  FakeCard card({.devices = kMig});
  for (int second = 1; second <= 25; ++second) {
    card.At(second);
    ASSERT_EQ(card.frame.devices.size(), 3u);
    ASSERT_EQ(CountEvents(card.frame, EventType::kDeviceLost), 0);
    const bool first = second == 1;
    ASSERT_EQ(Field(card.frame, F::kSmActivity, 1),
              first ? Because(Absence::kNotSampledYet) : Known<double>(0.5));
  }
}

// Since Hopper the mode may change while the GPU runs.
TEST(CardMig, TheModeIsNoticedWhenItChanges) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetMigMode", "value": [1, 1], "from": 5,
                              "until": 30},
                             {"calls": "nvmlDeviceGetUtilizationRates", "code": 3, "from": 5,
                              "until": 30})"});
  EXPECT_EQ(Field(card.At(1), F::kMigMode), Known<double>(0.0));
  for (int second = 2; second <= 20; ++second) card.At(second);
  EXPECT_EQ(Field(card.frame, F::kMigMode), Known<double>(1.0));
  EXPECT_EQ(Field(card.frame, F::kUtilization), Because(Absence::kUnderMig));
  for (int second = 21; second <= 45; ++second) card.At(second);
  EXPECT_EQ(Field(card.frame, F::kMigMode), Known<double>(0.0));
  EXPECT_TRUE(Field(card.frame, F::kUtilization).known());
  EXPECT_EQ(CountEvents(card.frame, EventType::kDeviceLost), 0);
}

TEST(CardMig, AQuickLookFindsTheInstancesAndTakesNoSubstituteForTheirUtilization) {
  FakeCard card({.devices = kMig, .options = {.first_slow_lane = false, .quick_look = 0}});
  EXPECT_EQ(Field(card.At(1), F::kMigMode), Known<double>(1.0));
  EXPECT_GT(card.frame.devices.size(), 1u);
  EXPECT_EQ(Field(card.frame, F::kUtilization), Because(Absence::kUnderMig));
}

TEST(CardMig, InstancesAreLookedForRarely) {
  FakeCard card({.devices = kMig});
  card.At(1);
  const uint64_t asked = card.Calls("nvmlDeviceGetMigDeviceHandleByIndex");
  for (int second = 2; second <= 10; ++second) card.At(second);
  EXPECT_EQ(card.Calls("nvmlDeviceGetMigDeviceHandleByIndex"), asked);
}

}  // namespace
}  // namespace gpusight::nvml
