// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/doctor/test_facts.h"

namespace gpusight::doctor {
namespace {

using C = ContainerField;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kMi = 1 << 20, kGi = 1 << 30;

Facts Contained(std::initializer_list<std::pair<C, double>> limits) {
  Facts facts = HealthyFacts();
  PutIntoContainer(facts);
  for (const auto& [field, value] : limits) facts.frame.containers[0].fields[field] = value;
  return facts;
}

TEST(HostChecks, AHealthyMachineIsOk) {
  const Facts facts = HealthyFacts();
  EXPECT_THAT(Verdicts(CheckCpus, facts), ElementsAre("ok host.cpu"));
  EXPECT_THAT(Verdicts(CheckMemoryLimit, facts), ElementsAre("ok host.memory"));
  EXPECT_THAT(Verdicts(CheckShm, facts), ElementsAre("ok host.shm"));
  EXPECT_THAT(Verdicts(CheckLimits, facts), ElementsAre("ok host.open_files"));
  for (const Check check : {CheckPids, CheckOvercommit, CheckGovernor, CheckThreads}) {
    EXPECT_THAT(Verdicts(check, facts), IsEmpty());
  }
}

TEST(HostChecks, AQuotaBelowTheVisibleCpusMissizesThreads) {
  const Facts facts = Contained({{C::kCpuQuota, 2.5}});
  EXPECT_THAT(Verdicts(CheckCpus, facts), ElementsAre("note host.cpu"));
  EXPECT_THAT(RunCheck(CheckCpus, facts)[0].text,
              AllOf(HasSubstr("quota 2.5"), HasSubstr("16 CPUs")));
  EXPECT_THAT(RemedyOf(CheckCpus, facts),
              AllOf(HasSubstr("OMP_NUM_THREADS=2'"), HasSubstr("--cpus=16")));
}

TEST(HostChecks, AQuotaIsFineWhenThreadsWereToldOfIt) {
  Facts facts = Contained({{C::kCpuQuota, 2.5}});
  facts.subject.environment = {{"OMP_NUM_THREADS", "3"}};
  EXPECT_THAT(Verdicts(CheckCpus, facts), ElementsAre("ok host.cpu"));
  EXPECT_THAT(Verdicts(CheckThreads, facts), IsEmpty());
  facts.subject.environment = {{"OMP_NUM_THREADS", "32"}};
  EXPECT_THAT(Verdicts(CheckCpus, facts), ElementsAre("note host.cpu"));
  EXPECT_EQ(RemedyOf(CheckThreads, facts), "export OMP_NUM_THREADS=3");
}

TEST(HostChecks, AQuotaThatIsUsedUpIsAProblem) {
  const Facts facts =
      Contained({{C::kCpuQuota, 2}, {C::kPeriods, 1000}, {C::kThrottledPeriods, 680}});
  EXPECT_THAT(Verdicts(CheckCpus, facts), ElementsAre("problem host.cpu"));
  EXPECT_THAT(RunCheck(CheckCpus, facts)[0].text, HasSubstr("68 %"));
}

TEST(HostChecks, AQuotaAboveTheCpusIsNone) {
  EXPECT_THAT(Verdicts(CheckCpus, Contained({{C::kCpuQuota, 64}})), ElementsAre("ok host.cpu"));
}

TEST(HostChecks, ACpusetIsShown) {
  Facts facts = HealthyFacts();
  facts.subject.cpus_allowed = 4;
  EXPECT_THAT(RunCheck(CheckCpus, facts)[0].text, HasSubstr("4 of the machine's 16"));
}

TEST(HostChecks, MemoryLimitsAreGraded) {
  const auto verdict = [](double used, double killed) {
    return Verdicts(CheckMemoryLimit, Contained({{C::kMemoryLimit, 64 * kGi},
                                                 {C::kMemoryCurrent, used * kGi},
                                                 {C::kOomKills, killed}}))
        .at(0);
  };
  EXPECT_EQ(verdict(12, 0), "ok host.memory");
  EXPECT_EQ(verdict(63, 0), "note host.memory");
  EXPECT_EQ(verdict(12, 2), "problem host.memory");
}

TEST(HostChecks, AMemoryLimitAboveTheMachineIsNone) {
  const auto lines = RunCheck(CheckMemoryLimit, Contained({{C::kMemoryLimit, 9e15}}));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0].text, HasSubstr("no limit"));
}

TEST(HostChecks, DockersDefaultSharedMemoryIsAProblemWithItsSwitch) {
  Facts facts = Contained({});
  facts.subject.shm_total = 64 * kMi;
  EXPECT_THAT(Verdicts(CheckShm, facts), ElementsAre("problem host.shm"));
  EXPECT_THAT(RemedyOf(CheckShm, facts), AllOf(HasSubstr("--shm-size"), HasSubstr("--ipc=host")));
}

TEST(HostChecks, SharedMemoryIsGraded) {
  const auto verdict = [](Known<double> total, double used, bool missing) {
    Facts facts = HealthyFacts();
    facts.subject.shm_total = total;
    facts.subject.shm_used = used;
    facts.subject.shm_missing = missing;
    const auto verdicts = Verdicts(CheckShm, facts);
    return verdicts.empty() ? "" : verdicts.front();
  };
  EXPECT_EQ(verdict(512 * kMi, 0, false), "note host.shm");
  EXPECT_EQ(verdict(16 * kGi, 15 * kGi, false), "problem host.shm");
  EXPECT_EQ(verdict(16 * kGi, 1 * kGi, false), "ok host.shm");
  EXPECT_EQ(verdict(Absence::kNotSupported, 0, true), "problem host.shm");
  EXPECT_EQ(verdict(Absence::kNotSupported, 0, false), "");
}

TEST(HostChecks, FewProcessesAndFilesAreNotes) {
  Facts facts = Contained({{C::kPidsLimit, 100}, {C::kPidsCurrent, 60}});
  facts.subject.max_files = 1024;
  EXPECT_THAT(Verdicts(CheckPids, facts), ElementsAre("note host.pids"));
  EXPECT_THAT(Verdicts(CheckLimits, facts), ElementsAre("note host.open_files"));
  EXPECT_THAT(RemedyOf(CheckLimits, facts), HasSubstr("ulimit -n"));
}

TEST(HostChecks, LockedMemoryMattersOnlyWithInfiniband) {
  Facts facts = HealthyFacts();
  facts.subject.max_locked_bytes = 8 * kMi;
  EXPECT_THAT(Verdicts(CheckLimits, facts), ElementsAre("ok host.open_files"));
  facts.machine.infiniband = true;
  EXPECT_THAT(Verdicts(CheckLimits, facts),
              ElementsAre("ok host.open_files", "note host.locked_memory"));
}

TEST(HostChecks, ALimitedAddressSpaceStopsCuda) {
  Facts facts = HealthyFacts();
  facts.subject.max_address_bytes = 32 * kGi;
  EXPECT_EQ(Verdicts(CheckLimits, facts).back(), "problem host.address_space");
}

TEST(HostChecks, StrictOvercommitAndASlowGovernorAreNotes) {
  Facts facts = HealthyFacts();
  facts.machine.overcommit = 2;
  facts.machine.governor = "powersave";
  facts.machine.governor_driver = "acpi-cpufreq";
  EXPECT_THAT(Verdicts(CheckOvercommit, facts), ElementsAre("note host.overcommit"));
  EXPECT_THAT(Verdicts(CheckGovernor, facts), ElementsAre("note host.governor"));
  facts.machine.governor_driver = "intel_pstate";  // its normal way
  EXPECT_THAT(Verdicts(CheckGovernor, facts), IsEmpty());
}

TEST(ProfilingChecks, CountersForAdministratorsNeedACapability) {
  Facts facts = HealthyFacts();
  facts.driver.profiling_for_admins_only = true;
  EXPECT_THAT(Verdicts(CheckCapabilities, facts), ElementsAre("ok profiling.counters"));
  facts.subject.capabilities = uint64_t{0};
  EXPECT_THAT(Verdicts(CheckCapabilities, facts),
              ElementsAre("note profiling.counters", "note profiling.ptrace"));
  EXPECT_THAT(RemedyOf(CheckCapabilities, facts),
              HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  facts.driver.profiling_for_admins_only = false;
  EXPECT_EQ(Verdicts(CheckCapabilities, facts).front(), "ok profiling.counters");
}

TEST(ProfilingChecks, OtherMonitorsAreNamed) {
  Facts facts = HealthyFacts();
  EXPECT_THAT(Verdicts(CheckMonitors, facts), ElementsAre("ok profiling.monitors"));
  facts.bystanders = {{812, "nv-hostengine"}, {900, "nvidia-cuda-mps"}, {1, "nvidia-persistenced"}};
  EXPECT_THAT(Verdicts(CheckMonitors, facts),
              ElementsAre("note monitor.nv-hostengine", "note monitor.mps"));
}

TEST(ProfilingChecks, TakenCountersAreAProblemThatNamesWhoTookThem) {
  Facts facts = HealthyFacts();
  facts.frame.devices[0].fields[DeviceField::kSmActivity] = Absence::kCountersTaken;
  facts.bystanders = {{812, "nv-hostengine"}};
  EXPECT_EQ(Verdicts(CheckMonitors, facts).back(), "problem profiling.counters_taken");
  EXPECT_THAT(RunCheck(CheckMonitors, facts).back().remedy, HasSubstr("nv-hostengine"));
}

TEST(ProfilingChecks, InjectedLibrariesAreNamed) {
  Facts facts = HealthyFacts();
  facts.subject.environment = {{"CUDA_INJECTION64_PATH", "/opt/x.so"},
                               {"LD_PRELOAD", "/usr/lib/libvgpu.so"}};
  EXPECT_THAT(Verdicts(CheckInjection, facts),
              ElementsAre("note profiling.injection", "note profiling.vgpu"));
  facts.subject.environment = {{"CUDA_INJECTION64_PATH", ""}, {"LD_PRELOAD", "libjemalloc.so"}};
  EXPECT_THAT(Verdicts(CheckInjection, facts), IsEmpty());
}

}  // namespace
}  // namespace gpusight::doctor
