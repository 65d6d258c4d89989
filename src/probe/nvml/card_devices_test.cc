// SPDX-License-Identifier: Apache-2.0
// The probe on the fake driver: what a frame says of devices. docs/driver-quirks.md names the
// tests here by the habit of real drivers that each imitates.
#include <gmock/gmock.h>

#include "model/account.h"
#include "probe/nvml/abi.h"
#include "testing/fake_card.h"

namespace gpusight::nvml {
namespace {

using F = DeviceField;
using ::testing::HasSubstr;

Known<double> Because(Absence why) { return why; }

TEST(CardDevices, AnIdleH200IsReadInFull) {
  FakeCard card({});
  const Frame& frame = card.At(1);
  ASSERT_EQ(frame.devices.size(), 1u);
  const DeviceInfo& info = frame.devices[0].info;
  EXPECT_EQ(info.name, "NVIDIA H200");
  EXPECT_EQ(info.uuid, "GPU-00000000-1111-2222-3333-444444444444");
  EXPECT_EQ(info.pci_bus_id, "00000000:00:06.0");
  EXPECT_EQ(info.architecture, "Hopper");
  EXPECT_EQ(info.compute_capability, "9.0");
  EXPECT_EQ(info.multiprocessors, 132);
  EXPECT_EQ(info.minor, 0);
  EXPECT_EQ(frame.driver.version, "580.159.04");
  EXPECT_EQ(frame.driver.cuda_version, "13.0");
  EXPECT_EQ(Field(frame, F::kMemoryTotal), Known<double>(150'754'820'096.0));
  EXPECT_EQ(Field(frame, F::kPowerLimit), Known<double>(700.0));
  EXPECT_EQ(Field(frame, F::kSmClockMax), Known<double>(1980e6));
  EXPECT_EQ(Field(frame, F::kTemperatureSlowdown), Known<double>(89.0));
  EXPECT_EQ(Field(frame, F::kFan), Because(Absence::kNotSupported));
  EXPECT_EQ(Field(frame, F::kRetiredPages), Because(Absence::kNotSupported));
  EXPECT_EQ(Field(frame, F::kEccUncorrectedLifetime), Known<double>(0.0));
}

TEST(CardDevices, MemoryAddsUpToTheByte) {
  FakeCard card({.devices = R"({"recording": "h200", "memory": {"residual_bytes": 20971520}})",
                 .processes = R"({"pid": 600, "memory_bytes": 1073741825})"});
  Frame frame = card.At(1);
  FillAccounts(frame);
  const Account account = AccountOf(frame, 0);
  EXPECT_TRUE(account.balanced);
  EXPECT_EQ(account.residual, Known<double>(20971520.0));
  EXPECT_EQ(account.used, Known<double>(1073741825.0 + 20971520));
}

TEST(CardDevices, WithoutMemoryInfoV2UsedIncludesReservedAndReservedIsUnknown) {
  FakeCard card({.library = fake::LibraryWithout({"nvmlDeviceGetMemoryInfo_v2"})});
  const Frame& frame = card.At(1);
  EXPECT_EQ(Field(frame, F::kMemoryUsed), Known<double>(644'939'776.0));
  EXPECT_EQ(Field(frame, F::kMemoryDriverReserved), Because(Absence::kNoSuchCall));
}

TEST(CardDevices, AValueThatCannotBeIsRejectedAndCounted) {
  FakeCard card(
      {.rules = R"({"calls": "nvmlDeviceGetUtilizationRates", "value": [4294967295, 1]})"});
  const Frame& frame = card.At(1);
  EXPECT_EQ(Field(frame, F::kUtilization), Because(Absence::kImplausible));
  EXPECT_EQ(Field(frame, F::kMemoryActivity), Known<double>(0.01));
  EXPECT_GE(frame.probes.at(0).rejected, 1u);
}

TEST(CardDevices, AllOnesInsideAnAnswerMeansNotSupported) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetTotalEnergyConsumption",
                              "value": 18446744073709551615})"});
  EXPECT_EQ(Field(card.At(1), F::kEnergy), Because(Absence::kNotSupported));
}

TEST(CardDevices, ARefusalIsNotAskedForAgain) {
  FakeCard card({});
  card.At(1);
  const uint64_t fans = card.Calls("nvmlDeviceGetFanSpeed");
  for (int second = 2; second < 60; ++second) card.At(second);
  EXPECT_EQ(card.Calls("nvmlDeviceGetFanSpeed"), fans);
  EXPECT_EQ(Field(card.frame, F::kFan), Because(Absence::kNotSupported));
}

TEST(CardDevices, AForbiddenCallIsNotRepeatedAndSaysSo) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetPowerUsage", "code": 4},
                             {"calls": "nvmlDeviceGetFieldValues/186", "code": 4})"});
  card.At(1);
  const uint64_t asked = card.Calls("nvmlDeviceGetPowerUsage");
  card.At(2);
  EXPECT_EQ(card.Calls("nvmlDeviceGetPowerUsage"), asked);
  EXPECT_EQ(Field(card.frame, F::kPower), Because(Absence::kNoPermission));
}

TEST(CardDevices, APassingFailureIsAskedForAgain) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetTemperature", "code": 999, "until": 2})"});
  const Missing missing = Field(card.At(1), F::kTemperature).missing();
  EXPECT_EQ(missing, (Missing{Absence::kDriverError, 999}));
  EXPECT_EQ(card.frame.probes.at(0).failures, 1u);
  EXPECT_TRUE(Field(card.At(3), F::kTemperature).known());
}

TEST(CardDevices, TheOlderNameOfACallServesWhenTheNewerIsMissing) {
  FakeCard card({.library = fake::LibraryWithout({"nvmlDeviceGetCurrentClocksEventReasons"})});
  EXPECT_EQ(Field(card.At(1), F::kClockEventReasons), Known<double>(1.0));
}

TEST(CardDevices, OnePartThatFailsLeavesTheOthers) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetPciInfo_v3", "code": 999},
                             {"calls": "nvmlDeviceGetName", "code": 3})"});
  const Frame& frame = card.At(1);
  EXPECT_EQ(Device0(frame).info.name, "");
  EXPECT_EQ(Device0(frame).info.uuid, "GPU-00000000-1111-2222-3333-444444444444");
  EXPECT_TRUE(Field(frame, F::kUtilization).known());
}

// Jetson: the driver initialises, has a device, and refuses everything.
TEST(CardDevices, ADeviceThatRefusesEverythingIsListedWithReasons) {
  FakeCard card({.rules = R"({"calls": ["nvmlDeviceGetUt*", "nvmlDeviceGetM*", "nvmlDeviceGetP*",
      "nvmlDeviceGetT*", "nvmlDeviceGetCom*", "nvmlDeviceGetCl*", "nvmlDeviceGetCur*", "nvmlDeviceGetE*", "nvmlDeviceGetF*", "nvmlGpm*",
      "nvmlDeviceGetS*", "nvmlDeviceGetN*", "nvmlDeviceGetR*"], "code": 3})"});
  const Frame& frame = card.At(1);
  ASSERT_EQ(frame.devices.size(), 1u);
  EXPECT_EQ(frame.devices[0].state, DeviceState::kOk);
  EXPECT_EQ(Field(frame, F::kUtilization), Because(Absence::kNotSupported));
  EXPECT_EQ(Field(frame, F::kMemoryTotal), Because(Absence::kNotSupported));
  EXPECT_EQ(frame.devices[0].process_count, Because(Absence::kNotSupported));
}

TEST(CardDevices, APartWithoutMemoryOfItsOwnIsMarkedUnified) {
  FakeCard card({.devices = R"({"recording": "h200", "identity": {"name": "NVIDIA GB10"}})"});
  const Frame& frame = card.At(1);
  EXPECT_TRUE(Device0(frame).info.unified_memory);
  EXPECT_EQ(Field(frame, F::kMemoryUsed), Because(Absence::kNotSupported));
}

TEST(CardDevices, ADiscreteCardIsNeverTakenForUnified) {
  FakeCard card({.rules = R"({"calls": ["nvmlDeviceGetMemoryInfo_v2", "nvmlDeviceGetMemoryInfo"],
                              "code": 3})"});
  EXPECT_FALSE(Device0(card.At(1)).info.unified_memory);
  EXPECT_EQ(Field(card.frame, F::kMemoryTotal), Because(Absence::kNotSupported));
}

TEST(CardDevices, PcieFiguresOfACoherentPartAreHidden) {
  FakeCard card(
      {.devices = R"({"recording": "h200", "identity": {"name": "NVIDIA GH200 480GB"}})"});
  const Frame& frame = card.At(1);
  EXPECT_TRUE(Device0(frame).info.coherent_link);
  EXPECT_EQ(Field(frame, F::kPcieGeneration), Because(Absence::kNotSupported));
  EXPECT_EQ(Field(frame, F::kPcieWidthMax), Because(Absence::kNotSupported));
}

TEST(CardDevices, ACoherentPartIsAlsoKnownByWhatTheDriverSays) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetC2cModeInfoV", "value": [1]})"});
  EXPECT_TRUE(Device0(card.At(1)).info.coherent_link);
}

TEST(CardDevices, FieldsThatTheDriverLeavesUnwrittenAreAbsent) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetFieldValues/82", "code": 3})"});
  EXPECT_EQ(Field(card.At(1), F::kMemoryTemperature), Because(Absence::kNotSupported));
}

TEST(CardDevices, RingsCarryEverySampleOfTheDriver) {
  FakeCard card({.devices = R"({"recording": "h200", "tracks": {
      "utilization_percent": {"step": true, "points": [[0, 0], [1.8, 100]]},
      "power_watts": {"points": [[0, 100], [10, 600]]}}})",
                 .options = {.budget = 1}});
  card.At(1);
  const DeviceSample& sample = Device0(card.At(3));
  EXPECT_EQ(sample.utilization_ring.size(), 10u);
  EXPECT_EQ(sample.power_ring.size(), 100u);
  EXPECT_NEAR(*sample[F::kIdleShare], 0.4, 0.11);
  EXPECT_EQ(sample[F::kUtilizationMax], Known<double>(1.0));
  EXPECT_NEAR(*sample[F::kPowerMean], 200, 2);
  EXPECT_NEAR(*sample[F::kPowerMax], 250, 2);
}

TEST(CardDevices, ASteppedClockRepeatsNoSample) {
  FakeCard card(
      {.quirks = R"("clock_steps": [{"at": 1.5, "by_us": 435}])", .options = {.budget = 1}});
  card.At(1);
  const DeviceSample& sample = Device0(card.At(2));
  EXPECT_EQ(sample.utilization_ring.size(), 5u);
  EXPECT_EQ(sample.power_ring.size(), 50u);
}

TEST(CardDevices, ALargeStepOfTheClockRepeatsNoSample) {
  FakeCard card(
      {.quirks = R"("clock_steps": [{"at": 3.5, "by_us": 1800000000}])", .options = {.budget = 1}});
  card.At(1);
  card.At(3);
  card.StepWallClock(1800);
  const DeviceSample& sample = Device0(card.At(4));
  EXPECT_LE(sample.utilization_ring.size(), 7u);
  EXPECT_LE(sample.power_ring.size(), 52u);
}

TEST(CardDevices, AQuickLookLeavesDearCallsOut) {
  FakeCard card({.options = {.first_slow_lane = false}});
  const uint64_t energy = card.Calls("nvmlDeviceGetTotalEnergyConsumption");
  const uint64_t clocks = card.Calls("nvmlDeviceGetMaxClockInfo");
  const uint64_t rings = card.Calls("nvmlDeviceGetSamples");
  card.At(1);
  EXPECT_EQ(card.Calls("nvmlDeviceGetTotalEnergyConsumption"), energy);
  EXPECT_EQ(card.Calls("nvmlDeviceGetMaxClockInfo"), clocks);
  EXPECT_EQ(card.Calls("nvmlDeviceGetSamples"), rings);
  EXPECT_EQ(Field(card.frame, F::kEnergy), Because(Absence::kNotAsked));
  EXPECT_EQ(Field(card.frame, F::kPowerMax), Because(Absence::kNotAsked));
  EXPECT_TRUE(Field(card.frame, F::kUtilization).known());
  EXPECT_TRUE(Field(card.At(2), F::kEnergy).known());
  EXPECT_TRUE(Field(card.frame, F::kSmClockMax).known());
}

TEST(CardDevices, AQuickLookThatHasBeenQuickAsksWhatIsCostlyTheFirstTime) {
  FakeCard card({.options = {.first_slow_lane = false, .quick_look = 10}});
  card.At(1);
  EXPECT_TRUE(Field(card.frame, F::kPower).known());
  EXPECT_TRUE(Field(card.frame, F::kEccMode).known());
  EXPECT_TRUE(Field(card.frame, F::kMigMode).known());
}

TEST(CardDevices, AQuickLookThatHasNotBeenQuickSaysWhatItLeftOut) {
  FakeCard card({.options = {.first_slow_lane = false, .quick_look = 0}});
  const uint64_t power = card.Calls("nvmlDeviceGetPowerUsage");
  card.At(1);
  EXPECT_EQ(card.Calls("nvmlDeviceGetPowerUsage"), power);
  EXPECT_EQ(Field(card.frame, F::kPower), Because(Absence::kNotAsked));
  EXPECT_EQ(Field(card.frame, F::kEccUncorrected), Because(Absence::kNotAsked));
  EXPECT_EQ(Field(card.frame, F::kTemperature), Because(Absence::kNotAsked));
  EXPECT_TRUE(Field(card.frame, F::kUtilization).known());
  EXPECT_TRUE(Field(card.frame, F::kMemoryUsed).known());
  card.At(2);
  EXPECT_TRUE(Field(card.frame, F::kPower).known());
  EXPECT_TRUE(Field(card.frame, F::kPcieGenerationMax).known());
}

TEST(CardDevices, AQuickLookTakesTheUtilizationWhereItIsCheapestTheFirstTime) {
  FakeCard card({.devices = R"({"recording": "h200", "tracks": {"utilization_percent": 87}})",
                 .options = {.first_slow_lane = false, .quick_look = 0}});
  const uint64_t rates = card.Calls("nvmlDeviceGetUtilizationRates");
  EXPECT_EQ(Field(card.At(1), F::kUtilization), Known<double>(0.87));
  EXPECT_EQ(card.Calls("nvmlDeviceGetUtilizationRates"), rates);
  const uint64_t substitute = card.Calls("nvmlDeviceGetDynamicPstatesInfo");
  EXPECT_EQ(Field(card.At(2), F::kUtilization), Known<double>(0.87));
  EXPECT_EQ(card.Calls("nvmlDeviceGetDynamicPstatesInfo"), substitute);
}

TEST(CardDevices, AQuickLookIsNeverWithoutTheUtilization) {
  FakeCard card({.rules = R"({"calls": "nvmlDeviceGetDynamicPstatesInfo", "code": 3})",
                 .options = {.first_slow_lane = false, .quick_look = 0}});
  EXPECT_TRUE(Field(card.At(1), F::kUtilization).known());
}

TEST(CardDevices, OnlyTheFieldsThatAreWantedAreAskedFor) {
  ProbeOptions options;
  options.wanted.reset();
  options.wanted.set(static_cast<size_t>(F::kUtilization));
  options.wanted.set(static_cast<size_t>(F::kPowerMax));
  options.processes = options.gpm = false;
  FakeCard card({.options = options});
  const uint64_t temperature = card.Calls("nvmlDeviceGetTemperature");
  const uint64_t memory = card.Calls("nvmlDeviceGetMemoryInfo_v2");
  const uint64_t rings = card.Calls("nvmlDeviceGetSamples");
  card.At(1);
  EXPECT_EQ(card.Calls("nvmlDeviceGetTemperature"), temperature);
  EXPECT_EQ(card.Calls("nvmlDeviceGetMemoryInfo_v2"), memory);
  EXPECT_EQ(card.Calls("nvmlDeviceGetSamples"), rings + 2);  // of power: its size, its samples
  EXPECT_TRUE(Field(card.frame, F::kUtilization).known());
  EXPECT_TRUE(Field(card.frame, F::kPowerMax).known());
  EXPECT_EQ(Field(card.frame, F::kTemperature), Because(Absence::kNotAsked));
  EXPECT_EQ(Field(card.frame, F::kUtilizationMax), Because(Absence::kNotAsked));
}

TEST(CardDevices, TheMemoryControllersRingIsDrainedForThoseWhoShowIt) {
  for (const bool wanted : {false, true}) {
    FakeCard card({.options = {.memory_ring = wanted}});
    EXPECT_EQ(Device0(card.At(20)).memory_activity_ring.empty(), !wanted);
  }
}

TEST(CardDevices, AProgramThatEndsMayLeaveTheDriverToTheKernel) {
  for (const bool leave : {false, true}) {
    FakeCard card({.options = {.leave_open = leave}});
    const uint64_t before = card.Calls("nvmlShutdown");
    card.At(1);
    card.Restart();
    EXPECT_EQ(card.Calls("nvmlShutdown") - before, leave ? 0u : 1u);
  }
}

TEST(CardDevices, TheSlowLaneRunsEveryTenSeconds) {
  FakeCard card({});
  card.At(1);
  const uint64_t after_first = card.Calls("nvmlDeviceGetPcieReplayCounter");
  for (int second = 2; second <= 31; ++second) card.At(second);
  EXPECT_EQ(card.Calls("nvmlDeviceGetPcieReplayCounter"), after_first + 3);
}

// Every function may be missing: one figure is lost, the device stays.
TEST(CardDevices, AnyMissingFunctionCostsNoMoreThanItsFigures) {
  const std::vector<std::string_view> vital = {
      "nvmlInit_v2", "nvmlDeviceGetCount_v2", "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetUUID"};
  std::vector<std::string_view> names;
#define GPUSIGHT_CALL(name, parameters) names.emplace_back(#name);
  GPUSIGHT_NVML_CALLS(GPUSIGHT_CALL)
#undef GPUSIGHT_CALL
  for (const std::string_view name : names) {
    if (std::find(vital.begin(), vital.end(), name) != vital.end()) continue;
    FakeCard card({.library = fake::LibraryWithout({name})});
    card.At(1);
    const Frame& frame = card.At(2);
    ASSERT_EQ(frame.devices.size(), 1u) << name;
    EXPECT_EQ(frame.devices[0].state, DeviceState::kOk) << name;
    EXPECT_EQ(frame.driver.state, DriverState::kOk) << name;
  }
}

}  // namespace
}  // namespace gpusight::nvml
