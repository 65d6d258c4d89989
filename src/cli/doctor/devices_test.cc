// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/doctor/device_list.h"
#include "cli/doctor/test_facts.h"

namespace gpusight::doctor {
namespace {

using F = DeviceField;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Facts Cards(int count) {
  Facts facts = HealthyFacts();
  facts.frame.devices.clear();
  for (int i = 0; i < count; ++i) facts.frame.devices.push_back(HealthyDevice(i));
  return facts;
}

TEST(DeviceList, WritesNeighboursAsRanges) {
  const Facts facts = Cards(8);
  const auto pick = [&](std::initializer_list<size_t> indices) {
    Devices devices;
    for (const size_t i : indices) devices.push_back(&facts.frame.devices[i]);
    return devices;
  };
  EXPECT_EQ(Named(pick({0})), "GPU 0");
  EXPECT_EQ(Named(pick({5, 0, 1, 2, 7})), "GPU 0-2,5,7");
  EXPECT_EQ(Indices(pick({5, 0, 1})), "0,1,5");
  EXPECT_EQ(Ranges({}), "");
}

TEST(DeviceChecks, AHealthyMachineIsOk) {
  const Facts facts = Cards(8);
  EXPECT_THAT(Verdicts(CheckDevices, facts), ElementsAre("ok device"));
  EXPECT_THAT(RunCheck(CheckDevices, facts)[0].text, HasSubstr("GPU 0-7 usable: 8 x NVIDIA H200"));
  EXPECT_THAT(Verdicts(CheckPersistence, facts), ElementsAre("ok device.persistence"));
  EXPECT_THAT(Verdicts(CheckComputeMode, facts), ElementsAre("ok device.compute_mode"));
  EXPECT_THAT(Verdicts(CheckMig, facts), IsEmpty());
  EXPECT_THAT(Verdicts(CheckPcie, facts), ElementsAre("ok link.pcie"));
  EXPECT_THAT(Verdicts(CheckNvlink, facts), IsEmpty());
  EXPECT_THAT(Verdicts(CheckNuma, facts), IsEmpty());
  EXPECT_THAT(Verdicts(CheckPower, facts), ElementsAre("ok device.power_limit"));
  EXPECT_THAT(Verdicts(CheckClocks, facts), ElementsAre("ok device.slowdown"));
  EXPECT_THAT(Verdicts(CheckEcc, facts), ElementsAre("ok device.ecc"));
  EXPECT_THAT(Verdicts(CheckRemap, facts), ElementsAre("ok device.remap"));
  EXPECT_THAT(Verdicts(CheckXids, facts), ElementsAre("ok device.xid"));
  EXPECT_THAT(Verdicts(CheckHolders, facts), IsEmpty());
}

TEST(DeviceChecks, UnknownValuesAreNeitherGoodNorBad) {
  Facts facts = Cards(1);
  facts.frame.devices[0].fields.Fill({Absence::kNotSupported, 0});
  facts.machine.kernel_log = Absence::kNotSupported;
  for (const Check check : {CheckPersistence, CheckComputeMode, CheckMig, CheckPcie, CheckNvlink,
                            CheckPower, CheckClocks, CheckEcc, CheckRemap, CheckXids}) {
    EXPECT_THAT(Verdicts(check, facts), IsEmpty());
  }
}

TEST(DeviceChecks, ALostDeviceIsSaidOfThatOneOnly) {
  Facts facts = Cards(3);
  facts.frame.devices[1].state = DeviceState::kLost;
  facts.frame.devices[2].state = DeviceState::kNeedsReset;
  EXPECT_THAT(Verdicts(CheckDevices, facts),
              ElementsAre("problem device.lost", "problem device.needs_reset", "ok device"));
  EXPECT_THAT(RunCheck(CheckDevices, facts)[1].remedy, HasSubstr("--gpu-reset -i 2"));
}

TEST(DeviceChecks, PersistenceOffIsANoteWithItsCommand) {
  Facts facts = Cards(2);
  facts.frame.devices[1].fields[F::kPersistenceMode] = 0;
  EXPECT_THAT(Verdicts(CheckPersistence, facts), ElementsAre("note device.persistence"));
  EXPECT_THAT(RemedyOf(CheckPersistence, facts), HasSubstr("nvidia-persistenced"));
}

TEST(DeviceChecks, ComputeModeTellsExclusiveFromProhibited) {
  Facts facts = Cards(3);
  facts.frame.devices[1].fields[F::kComputeMode] = 2;
  facts.frame.devices[2].fields[F::kComputeMode] = 3;
  EXPECT_THAT(Verdicts(CheckComputeMode, facts),
              ElementsAre("problem device.compute_mode", "note device.compute_mode"));
  EXPECT_EQ(RemedyOf(CheckComputeMode, facts), "sudo nvidia-smi -i 1 -c DEFAULT");
}

TEST(DeviceChecks, MigWithoutAnInstanceIsAProblem) {
  Facts facts = Cards(1);
  facts.frame.devices[0].fields[F::kMigMode] = 1;
  EXPECT_THAT(Verdicts(CheckMig, facts), ElementsAre("problem device.mig"));
  DeviceSample& instance = facts.frame.devices.emplace_back();
  instance.info.parent_uuid = facts.frame.devices[0].info.uuid;
  EXPECT_THAT(Verdicts(CheckMig, facts), ElementsAre("ok device.mig"));
}

TEST(DeviceChecks, AZombieThatHoldsMemoryIsNamed) {
  Facts facts = Cards(1);
  ProcessSample& process = facts.frame.processes.emplace_back();
  process.pid = 4711;
  process.zombie = true;
  process.uses.emplace_back().fields[UseField::kMemory] = 3.0 * (1 << 30);
  EXPECT_THAT(Verdicts(CheckHolders, facts), ElementsAre("problem device.holder"));
  EXPECT_THAT(RunCheck(CheckHolders, facts)[0].text, AllOf(HasSubstr("4711"), HasSubstr("3.0GiB")));
}

TEST(LinkChecks, ALowLinkIsAProblemOnlyWhileBusy) {
  Facts facts = Cards(2);
  facts.frame.devices[1].fields[F::kPcieGeneration] = 1;
  EXPECT_THAT(Verdicts(CheckPcie, facts), ElementsAre("note link.pcie"));
  facts.frame.devices[1].fields[F::kUtilization] = 0.9;
  EXPECT_THAT(Verdicts(CheckPcie, facts), ElementsAre("problem link.pcie"));
  EXPECT_THAT(RunCheck(CheckPcie, facts)[0].text, HasSubstr("gen 1 x16 of gen 5 x16"));
  EXPECT_THAT(RemedyOf(CheckPcie, facts), HasSubstr("lspci -vv -s 0000:01:00.0"));
}

TEST(LinkChecks, MissingLanesAreNotedAlsoWhileIdle) {
  Facts facts = Cards(1);
  facts.frame.devices[0].fields[F::kPcieWidth] = 8;
  EXPECT_THAT(RunCheck(CheckPcie, facts)[0].text, HasSubstr("8 of 16 lanes"));
}

TEST(LinkChecks, PlaceholdersOfACoherentLinkAreNotJudged) {
  Facts facts = Cards(1);
  facts.frame.devices[0].info.coherent_link = true;
  facts.frame.devices[0].fields[F::kPcieGeneration] = 1;
  EXPECT_THAT(Verdicts(CheckPcie, facts), IsEmpty());
}

TEST(LinkChecks, ACardWithFewerNvlinksThanItsSiblingsIsAProblem) {
  Facts facts = Cards(3);
  for (DeviceSample& device : facts.frame.devices) device.fields[F::kNvlinkLinks] = 18;
  EXPECT_THAT(Verdicts(CheckNvlink, facts), ElementsAre("ok link.nvlink"));
  facts.frame.devices[2].fields[F::kNvlinkLinks] = 17;
  EXPECT_THAT(Verdicts(CheckNvlink, facts), ElementsAre("problem link.nvlink"));
  EXPECT_THAT(RunCheck(CheckNvlink, facts)[0].text, HasSubstr("GPU 2: NVLink links up: 17"));
}

TEST(LinkChecks, AnUnknownNumaNodeMattersOnlyWithSeveral) {
  Facts facts = Cards(1);
  facts.machine.numa_nodes = 2;
  EXPECT_THAT(Verdicts(CheckNuma, facts), ElementsAre("note link.numa"));
  facts.frame.devices[0].info.numa_node = 1;
  EXPECT_THAT(Verdicts(CheckNuma, facts), IsEmpty());
}

TEST(HealthChecks, APowerLimitBelowItsDefaultIsANote) {
  Facts facts = Cards(2);
  facts.frame.devices[0].fields[F::kPowerLimit] = 400;
  EXPECT_THAT(Verdicts(CheckPower, facts), ElementsAre("note device.power_limit"));
  EXPECT_EQ(RemedyOf(CheckPower, facts), "sudo nvidia-smi -i 0 -pl 700");
}

TEST(HealthChecks, SlowdownsAreToldApart) {
  struct Case {
    double reasons;
    const char* verdict;
    const char* words;
  };
  for (const Case& c : {Case{0x40, "problem device.slowdown", "heat"},
                        Case{0x20, "problem device.slowdown", "heat"},
                        Case{0x80, "problem device.slowdown", "power brake"},
                        Case{0x8, "note device.slowdown", "hardware slowdown"},
                        Case{0x4, "ok device.slowdown", "no thermal"}}) {
    Facts facts = Cards(1);
    facts.frame.devices[0].fields[F::kClockEventReasons] = c.reasons;
    EXPECT_THAT(Verdicts(CheckClocks, facts), ElementsAre(c.verdict)) << c.reasons;
    EXPECT_THAT(RunCheck(CheckClocks, facts)[0].text, HasSubstr(c.words));
  }
}

TEST(HealthChecks, ATemperatureNearTheLimitIsAProblemWithoutABit) {
  Facts facts = Cards(1);
  facts.frame.devices[0].fields[F::kTemperatureMargin] = 2;
  EXPECT_THAT(Verdicts(CheckClocks, facts), ElementsAre("problem device.slowdown"));
}

TEST(HealthChecks, FixedClocksAreANote) {
  Facts facts = Cards(1);
  facts.frame.devices[0].fields[F::kClockEventReasons] = 0x2;
  EXPECT_THAT(Verdicts(CheckClocks, facts),
              ElementsAre("note device.clocks", "ok device.slowdown"));
}

TEST(HealthChecks, UncorrectedErrorsOfNowAreWorseThanOldOnes) {
  Facts facts = Cards(2);
  facts.frame.devices[0].fields[F::kEccUncorrected] = 1;
  facts.frame.devices[1].fields[F::kEccUncorrectedLifetime] = 3;
  EXPECT_THAT(Verdicts(CheckEcc, facts), ElementsAre("problem device.ecc", "note device.ecc"));
  facts.frame.devices[0].fields[F::kEccMode] = 0;
  EXPECT_THAT(Verdicts(CheckEcc, facts),
              ElementsAre("problem device.ecc", "note device.ecc", "ok device.ecc_mode"));
}

TEST(HealthChecks, RowRemappingHasFourGrades) {
  const auto verdict = [](F field, double value) {
    Facts facts = Cards(1);
    facts.frame.devices[0].fields[field] = value;
    return Verdicts(CheckRemap, facts).at(0);
  };
  EXPECT_EQ(verdict(F::kRemapPending, 1), "problem device.remap");
  EXPECT_EQ(verdict(F::kRemapFailed, 1), "problem device.remap");
  EXPECT_EQ(verdict(F::kRemappedUncorrectable, 2), "note device.remap");
  EXPECT_EQ(verdict(F::kRemappedUncorrectable, 11), "problem device.remap");
  EXPECT_EQ(verdict(F::kRetiredPages, 2), "note device.remap");
}

TEST(HealthChecks, XidsAreCountedAndBlamedOnTheRightOne) {
  Facts facts = Cards(1);
  facts.machine.xids = {{31, "0000:00:06", 100}, {31, "0000:00:06", 7300}, {79, "0000:17:00", 9}};
  const auto lines = RunCheck(CheckXids, facts);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].state, State::kNote);
  EXPECT_THAT(lines[0].text, AllOf(HasSubstr("XID 31"), HasSubstr("count 2"), HasSubstr("2h01m"),
                                   HasSubstr("a fault of the program")));
  EXPECT_EQ(lines[1].state, State::kProblem);
  EXPECT_THAT(lines[1].text, HasSubstr("fell off the bus"));
}

TEST(HealthChecks, AForbiddenKernelLogIsSaidUnlessInAContainer) {
  Facts facts = Cards(1);
  facts.machine.kernel_log = Absence::kNoPermission;
  EXPECT_THAT(Verdicts(CheckXids, facts), ElementsAre("note device.xid"));
  PutIntoContainer(facts);
  EXPECT_THAT(Verdicts(CheckXids, facts), IsEmpty());
  facts.frame.devices[0].fields[F::kLastXid] = 79;  // the driver remembers
  EXPECT_THAT(RunCheck(CheckXids, facts)[0].text, HasSubstr("79"));
}

}  // namespace
}  // namespace gpusight::doctor
