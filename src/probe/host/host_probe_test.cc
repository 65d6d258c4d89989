// SPDX-License-Identifier: Apache-2.0
// The whole probe on the recorded hosts of testdata/hosts. What the live /proc says is checked in
// live_test.cc.
#include "probe/host/host_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "probe/host/translation.h"
#include "testing/fake_clock.h"

namespace gpusight::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using F = ProcessField;

class OnHost {
 public:
  explicit OnHost(const std::string& name, ProbeOptions options = {})
      : root_(std::string(GPUSIGHT_TESTDATA) + "/hosts/" + name),
        log_(clock_, [](std::string_view) {}),
        probe_(std::move(options), clock_, root_, log_) {}

  // What the driver lists.
  OnHost& List(std::vector<int> pids) {
    listed_ = std::move(pids);
    return *this;
  }
  const Frame& Sample(double seconds_later = 1) {
    clock_.Advance(seconds_later);
    SetProcessCount(frame_, listed_.size());
    for (size_t i = 0; i < listed_.size(); ++i) {
      Reset(frame_.processes[i]);
      frame_.processes[i].pid = listed_[i];
      frame_.processes[i].uses.assign(1, GpuUse{});
      frame_.processes[i].uses[0].fields[UseField::kMemory] = 1e9 + listed_[i];
    }
    frame_.probes.clear();
    probe_.Sample(frame_);
    return frame_;
  }
  const ProcessSample& Process(int pid) {
    for (const ProcessSample& process : frame_.processes) {
      if (process.pid == pid) return process;
    }
    ADD_FAILURE() << "no process " << pid;
    static const ProcessSample kNone;
    return kNone;
  }
  std::vector<int> Pids(ProcessRole role) {
    std::vector<int> pids;
    for (const ProcessSample& process : frame_.processes) {
      if (process.role == role) pids.push_back(process.pid);
    }
    return pids;
  }
  Probe& probe() { return probe_; }
  Frame& frame() { return frame_; }

 private:
  Root root_;
  FakeClock clock_;
  Log log_;
  Probe probe_;
  std::vector<int> listed_;
  Frame frame_;
};

TEST(HostProbe, TellsWhoAProcessIs) {
  OnHost host("bare");
  host.List({1010, 1110}).Sample();
  const ProcessSample& rank = host.Process(1010);
  EXPECT_EQ(rank.user, std::string("mei"));
  EXPECT_EQ(rank.command, std::string("python3"));
  EXPECT_EQ(rank.command_line, std::string("/usr/bin/python3 -u train.py --note two\nlines"));
  EXPECT_EQ(rank.start_ticks, 80'000'000u);
  EXPECT_EQ(rank.start_time, 1'774'800'000.0);
  EXPECT_EQ(rank.parent, 1000);
  EXPECT_EQ(rank.visible_devices, std::string("1,0"));
  EXPECT_EQ(rank.device_order, "PCI_BUS_ID");
  EXPECT_EQ(rank.rank, 0);
  EXPECT_EQ(host.Process(1110).rank, 1);
  EXPECT_EQ(rank.world_size, 2);
  EXPECT_EQ(rank.container, std::string());
  EXPECT_EQ(rank.pid_namespace, Known<uint64_t>(4026531836u));
  EXPECT_TRUE(rank.translated);
  EXPECT_FALSE(rank.zombie);
  EXPECT_FALSE(rank.ours) << "no signal to a process of a recorded machine";
}

TEST(HostProbe, TellsWhatAProcessCosts) {
  OnHost host("bare");
  host.List({1010}).Sample();
  const auto& fields = host.Process(1010).fields;
  EXPECT_EQ(fields[F::kCpuUser], 8123.45);
  EXPECT_EQ(fields[F::kCpuSystem], 912.34);
  EXPECT_EQ(fields[F::kThreads], 3.0);
  constexpr double kMiB = 1 << 20;
  EXPECT_EQ(fields[F::kResident], (4096 + 1024 + 90) * kMiB);
  EXPECT_EQ(fields[F::kPrivate], 4096 * kMiB);
  EXPECT_EQ(fields[F::kShared], 1024 * kMiB);
  EXPECT_EQ(fields[F::kMinorFaults], 91234.0);
  EXPECT_EQ(fields[F::kMajorFaults], 37.0);
  EXPECT_EQ(fields[F::kReadBytes], 7 * 1024 * kMiB);
  EXPECT_EQ(fields[F::kReadCallBytes], 7 * 1024 * kMiB + 4096);
  EXPECT_EQ(fields[F::kWrittenBytes], 1024 * kMiB);
  EXPECT_EQ(fields[F::kReadCalls], 512.0);
  EXPECT_EQ(fields[F::kOpenFiles], 7.0);
  EXPECT_EQ(fields[F::kAllowedCpus], 8.0);
  EXPECT_EQ(host.frame().probes.back().name, "host");
  EXPECT_EQ(host.frame().probes.back().failures, 0u);
  EXPECT_EQ(host.frame().probes.back().rejected, 0u);
}

TEST(HostProbe, KnowsTheRateOfTheCpuFromTheSecondFrameOn) {
  OnHost host("bare");
  host.List({1010}).Sample();
  EXPECT_EQ(host.Process(1010).fields[F::kCpu], Absence::kNotSampledYet);
  host.Sample();
  EXPECT_EQ(host.Process(1010).fields[F::kCpu], 0.0);  // a recording stands still
}

TEST(HostProbe, KeepsTheUsesWithTheirProcesses) {
  OnHost host("bare");
  host.List({1110, 1010});
  for (int frame = 0; frame < 3; ++frame) {
    host.Sample();
    EXPECT_EQ(host.Process(1010).uses.at(0).fields[UseField::kMemory], 1e9 + 1010);
    EXPECT_EQ(host.Process(1110).uses.at(0).fields[UseField::kMemory], 1e9 + 1110);
    EXPECT_TRUE(host.Process(1012).uses.empty());
  }
}

TEST(HostProbe, ListsProcessesByNumber) {
  OnHost host("bare");
  const Frame& frame = host.List({1110, 1010}).Sample();
  EXPECT_TRUE(std::is_sorted(frame.processes.begin(), frame.processes.end(),
                             [](const auto& a, const auto& b) { return a.pid < b.pid; }));
}

TEST(HostProbe, FindsTheJobAroundTheProcessesOnADevice) {
  OnHost host("bare");
  host.List({1010}).Sample();
  EXPECT_THAT(host.Pids(ProcessRole::kLauncher), ElementsAre(1000));
  // The second rank is not on a device yet, but its launcher is the same.
  EXPECT_THAT(host.Pids(ProcessRole::kRank), ElementsAre(1010, 1110));
  EXPECT_THAT(host.Pids(ProcessRole::kLoaderWorker), ElementsAre(1012, 1013, 1014, 1112, 1113));
  EXPECT_THAT(host.Pids(ProcessRole::kCompiler), ElementsAre(1016, 1116));
  for (const ProcessSample& process : host.frame().processes) {
    EXPECT_NE(process.pid, 1300) << "a bystander";
    EXPECT_NE(process.pid, 950) << "the shell";
  }
}

TEST(HostProbe, CountsChildrenAndWorkers) {
  OnHost host("bare");
  host.List({1010, 1110}).Sample();
  EXPECT_EQ(host.Process(1010).fields[F::kChildren], 6.0);
  EXPECT_EQ(host.Process(1010).fields[F::kLoaderWorkers], 3.0);
  EXPECT_EQ(host.Process(1000).fields[F::kChildren], 14.0);
  EXPECT_EQ(host.Process(1012).fields[F::kChildren], 0.0);
}

TEST(HostProbe, LeavesRelativesOutWhenNotAsked) {
  ProbeOptions options;
  options.relatives = false;
  OnHost host("bare", options);
  EXPECT_EQ(host.List({1010}).Sample().processes.size(), 1u);
  EXPECT_EQ(host.Process(1010).fields[F::kChildren], Absence::kNotSampledYet);
}

TEST(HostProbe, FollowsProcessesThatUseNoDeviceWhenAsked) {
  ProbeOptions options;
  options.extra_pids = {950, 4242};  // the second does not exist
  OnHost host("bare", options);
  host.Sample();
  EXPECT_EQ(host.Process(950).command, std::string("zsh"));
  EXPECT_EQ(host.Process(1300).command_line, std::string("python3 -m http.server"));
  for (const ProcessSample& process : host.frame().processes) EXPECT_NE(process.pid, 4242);
}

TEST(HostProbe, ReadsThreadsWhenAsked) {
  ProbeOptions options;
  options.threads = true;
  OnHost host("bare", options);
  host.List({1010}).Sample();
  host.Sample();
  const ProcessSample& rank = host.Process(1010);
  ASSERT_EQ(rank.threads.size(), 3u);
  EXPECT_EQ(rank.threads[2].name, "a) R (b");
  EXPECT_EQ(rank.threads[2].state, 'D');
  EXPECT_EQ(rank.threads[2].cpu_cores, 0.0);
  EXPECT_EQ(rank.fields[F::kRunningThreads], 1.0);
  EXPECT_EQ(rank.fields[F::kBlockedThreads], 1.0);
  EXPECT_EQ(rank.fields[F::kVoluntarySwitches], 1000.0 + 1001 + 1002);
  EXPECT_EQ(rank.fields[F::kInvoluntarySwitches], 10.0 + 11 + 12);
  EXPECT_TRUE(host.Process(1012).threads.empty()) << "a worker uses no device";
}

TEST(HostProbe, ReadsTheThreadsOfTheOneThatIsWatched) {
  OnHost host("bare");
  host.List({1010, 1110});
  host.probe().Watch(1110);
  host.Sample();
  EXPECT_TRUE(host.Process(1010).threads.empty());
  EXPECT_EQ(host.Process(1110).threads.size(), 3u);
  host.probe().Watch(0);
  host.Sample();
  EXPECT_TRUE(host.Process(1110).threads.empty());
}

TEST(HostProbe, KnowsTheThreadsStateOfAProcessWithOne) {
  OnHost host("bare");
  host.List({1010}).Sample();
  EXPECT_EQ(host.Process(1012).fields[F::kRunningThreads], 1.0);
  EXPECT_EQ(host.Process(1013).fields[F::kBlockedThreads], 1.0);
  EXPECT_EQ(host.Process(1013).fields[F::kBlockIoDelay], 42.0);
  EXPECT_EQ(host.Process(1010).fields[F::kRunningThreads], Absence::kNotSampledYet);
}

TEST(HostProbe, NamesFileSystemsWhenAsked) {
  ProbeOptions options;
  options.mounts = true;
  OnHost host("bare", options);
  host.List({1010}).Sample();
  EXPECT_THAT(host.Process(1010).mounts, ElementsAre("nfs4 /data", "ext4 /"));
}

TEST(HostProbe, KeepsNoSecrets) {
  OnHost host("bare");
  host.List({1010}).Sample();
  for (const ProcessSample& process : host.frame().processes) {
    EXPECT_THAT(process.visible_devices.value_or(""), Not(HasSubstr("hunter2")));
    EXPECT_THAT(process.command_line.value_or(""), Not(HasSubstr("hunter2")));
  }
}

TEST(HostProbe, SaysThatAHolderEnded) {
  OnHost host("bare");
  host.List({1400, 4711}).Sample();
  EXPECT_TRUE(host.Process(1400).zombie);  // not reaped yet
  EXPECT_EQ(host.Process(1400).command, std::string("python3"));
  const ProcessSample& gone = host.Process(4711);
  EXPECT_TRUE(gone.zombie);
  EXPECT_TRUE(gone.translated);
  EXPECT_EQ(gone.command, Absence::kGone);
  EXPECT_EQ(gone.fields[F::kResident], Absence::kGone);
  EXPECT_EQ(gone.uses.at(0).fields[UseField::kMemory], 1e9 + 4711);
}

TEST(HostProbe, PutsProcessesIntoTheirContainers) {
  OnHost host("docker-v1");
  host.List({2240}).Sample();
  const ProcessSample& trainer = host.Process(2240);
  EXPECT_EQ(trainer.container, std::string("lab_trainer_1"));
  EXPECT_THAT(trainer.namespace_pids, ElementsAre(2240, 17));
  EXPECT_EQ(trainer.container_devices, "1");
  ASSERT_GE(trainer.container_index, 0);
  const auto& container = host.frame().containers.at(static_cast<size_t>(trainer.container_index));
  EXPECT_EQ(container.name, "lab_trainer_1");
  EXPECT_FALSE(container.own);
  // forked ones, and the fork server's child but not the server
  EXPECT_THAT(host.Pids(ProcessRole::kLoaderWorker), ElementsAre(2250, 2251, 2252, 2261));
}

TEST(HostProbe, TranslatesNumbersFromInsideAContainer) {
  OnHost host("docker-v1");
  const Frame& frame = host.List({2240}).Sample();
  EXPECT_EQ(TranslateFromInside(frame, 17, 4026532712), 2240);
  EXPECT_EQ(TranslateFromInside(frame, 17, 0), 2240);
  EXPECT_EQ(TranslateFromInside(frame, 30, 4026532712), 2250);
  EXPECT_EQ(TranslateFromInside(frame, 17, 4026531836), -1);
  EXPECT_EQ(TranslateFromInside(frame, 9999, 0), -1);
}

TEST(HostProbe, FindsPaddlesLauncherAndWorkers) {
  OnHost host("k8s-v2");
  host.List({5020}).Sample();
  EXPECT_THAT(host.Pids(ProcessRole::kLauncher), ElementsAre(5010));
  EXPECT_THAT(host.Pids(ProcessRole::kRank), ElementsAre(5020));
  EXPECT_THAT(host.Pids(ProcessRole::kLoaderWorker), ElementsAre(5030, 5031));
  EXPECT_EQ(host.Process(5020).container, std::string("bert-large-0/trainer"));
  EXPECT_EQ(host.Process(5030).container_index, host.Process(5020).container_index);
  EXPECT_EQ(host.Process(5020).user, std::string("65534"));
}

TEST(HostProbe, FindsTheSlurmJob) {
  OnHost host("slurm");
  host.List({7010, 7011}).Sample();
  EXPECT_EQ(host.Process(7010).slurm_job, "881234");
  EXPECT_EQ(host.Process(7011).rank, 1);
  EXPECT_THAT(host.Pids(ProcessRole::kRank), ElementsAre(7010, 7011));
  EXPECT_EQ(host.Process(7010).container_index, host.Process(7011).container_index);
  EXPECT_EQ(host.Process(7010).container, std::string());
}

TEST(InsideAContainer, TakesANumberForOursOnlyIfItCanBe) {
  OnHost host("inside");
  host.List({17, 18, 2310, 9999}).Sample();
  EXPECT_TRUE(host.Process(17).translated) << "holds a device";
  EXPECT_TRUE(host.Process(18).translated) << "cannot be looked into";
  EXPECT_EQ(host.Process(18).command_line, std::string("python3 serve.py"));
  for (const int outsider : {2310, 9999}) {
    const ProcessSample& process = host.Process(outsider);
    EXPECT_FALSE(process.translated) << outsider;
    EXPECT_FALSE(process.ours) << outsider;
    EXPECT_FALSE(process.zombie) << outsider;
    EXPECT_EQ(process.command, Absence::kOutsideNamespace) << outsider;
    EXPECT_EQ(process.fields[F::kResident], Absence::kOutsideNamespace) << outsider;
    EXPECT_EQ(process.container_index, -1) << outsider;
    EXPECT_EQ(process.uses.at(0).fields[UseField::kMemory], 1e9 + outsider) << "is still counted";
  }
}

// A played driver on a machine without a card: nobody can hold a device node.
TEST(InsideAContainer, TakesAnyNumberOfItsOwnWhereThereAreNoDeviceNodes) {
  const Root without(std::string(GPUSIGHT_TESTDATA) + "/hosts/slurm");
  const Root with(std::string(GPUSIGHT_TESTDATA) + "/hosts/inside");
  EXPECT_FALSE(DeviceNodes(without).Any());
  EXPECT_TRUE(DeviceNodes(with).Any());
  ProcessEntry entry;
  entry.holds = HoldsDevice::kNo;
  const Namespace container{4026532999, false};
  EXPECT_EQ(Judge(container, true, entry), Holder::kOutside);
  EXPECT_EQ(Judge(container, false, entry), Holder::kHere);
  EXPECT_EQ(Judge({4026531836, true}, true, entry), Holder::kHere);
}

// A driver without device nodes is none of this machine: its numbers say nothing of ours.
TEST(OnAHost, ADriverThatIsPlayedHasNoEndedProcesses) {
  ProcessEntry entry;
  entry.gone = true;
  const Namespace host{4026531836, true};
  EXPECT_EQ(Judge(host, true, entry), Holder::kEnded);
  EXPECT_EQ(Judge(host, false, entry), Holder::kOutside);
  entry.was_here = true;
  EXPECT_EQ(Judge(host, false, entry), Holder::kEnded);
}

TEST(InsideAContainer, KnowsAZombieAndAnEmptyListOfDevices) {
  OnHost host("inside");
  host.List({17, 2311}).Sample();
  EXPECT_TRUE(host.Process(2311).zombie);
  EXPECT_EQ(host.Process(17).visible_devices, std::string());
}

TEST(InsideAContainer, MarksItsOwnContainer) {
  OnHost host("inside");
  host.List({17}).Sample();
  ASSERT_EQ(host.frame().containers.size(), 1u);
  EXPECT_TRUE(host.frame().containers[0].own);
  EXPECT_EQ(host.Process(17).container_index, 0);
}

TEST(HostProbe, DescribesTheMachine) {
  OnHost host("bare");
  const Frame& frame = host.Sample();
  EXPECT_EQ(frame.host.hostname, "bare");
  EXPECT_EQ(frame.host.kernel, "6.8.0-60-generic");
  EXPECT_EQ(frame.host.boot_id, "6f1f2c1e-5a0b-4a53-9d55-0d6c8d1d4c11");
  const auto& fields = frame.host.fields;
  EXPECT_EQ(fields[HostField::kCpus], 8.0);
  EXPECT_EQ(fields[HostField::kLoad1], 4.21);
  EXPECT_EQ(fields[HostField::kMemoryTotal], 131825696.0 * 1024);
  EXPECT_EQ(fields[HostField::kSwapUsed], (8388604.0 - 8126460) * 1024);
  EXPECT_EQ(fields[HostField::kShmTotal], 65912848.0 * 1024);
  EXPECT_EQ(fields[HostField::kShmUsed], Absence::kNotSupported);
  EXPECT_DOUBLE_EQ(*fields[HostField::kCpuPressure], 0.042);
  EXPECT_EQ(fields[HostField::kUptime], 912345.67);
  // nvme0n1 and sda, not their partitions, the mapper above or the loop
  EXPECT_EQ(fields[HostField::kDiskRead], (1612345678.0 + 81234) * 512);
  EXPECT_EQ(fields[HostField::kDiskWritten], 912345678.0 * 512);
  // eth0 has a device behind it; the bridge carries the same bytes
  EXPECT_EQ(fields[HostField::kNetworkReceive], 812345678901.0);
  EXPECT_EQ(fields[HostField::kNetworkTransmit], 41234567890.0);
  EXPECT_EQ(fields[HostField::kCpu], Absence::kNotSampledYet);
  EXPECT_EQ(fields[HostField::kDiskBusy], Absence::kNotSampledYet);
  host.Sample();
  EXPECT_EQ(host.frame().host.fields[HostField::kCpu], 0.0);
  EXPECT_EQ(host.frame().host.fields[HostField::kDiskBusy], 0.0);
}

TEST(HostProbe, ReadsWhatIsDearOfTheMachineEveryFiveSeconds) {
  OnHost host("bare");
  const auto reads = [&] {
    const uint64_t before = host.frame().probes.empty() ? 0 : host.frame().probes[0].calls;
    return host.Sample().probes[0].calls - before;
  };
  reads();
  const uint64_t all = reads();  // the first rates take two
  const uint64_t some = reads();
  EXPECT_LT(some, all);
  for (int second = 4; second <= 6; ++second) EXPECT_EQ(reads(), some) << second;
  EXPECT_EQ(reads(), all);
  EXPECT_EQ(reads(), some);
  EXPECT_EQ(host.frame().host.fields[HostField::kCpu], 0.0);
  EXPECT_TRUE(host.frame().host.fields[HostField::kDiskRead].known());
}

TEST(HostProbe, PlacesDevicesOnTheirNode) {
  OnHost host("bare");
  host.frame().devices.resize(2);
  host.frame().devices[0].info.pci_bus_id = "00000000:1B:00.0";
  host.frame().devices[1].info.pci_bus_id = "00000000:AF:00.0";  // not there
  host.Sample();
  EXPECT_EQ(host.frame().devices[0].info.numa_node, 1);
  EXPECT_EQ(host.frame().devices[0].info.cpu_affinity, "4-7");
  EXPECT_EQ(host.frame().devices[1].info.numa_node, -1);
}

TEST(HostProbe, DoesWithoutAnyFile) {
  OnHost host("nowhere");
  const Frame& frame = host.List({1010}).Sample();
  ASSERT_EQ(frame.processes.size(), 1u);
  EXPECT_FALSE(frame.processes[0].command);
  EXPECT_EQ(frame.host.fields[HostField::kMemoryTotal], Absence::kNotSupported);
  EXPECT_TRUE(frame.containers.empty());
}

TEST(HostProbe, ReadsManyProcessesInTurn) {
  ProbeOptions options;
  options.read_per_frame = 4;
  OnHost host("bare", options);
  host.List({1010, 1110}).Sample();
  // All were read in the first frame, and all have a rate after as many frames as it takes.
  for (int frame = 0; frame < 6; ++frame) host.Sample();
  for (const ProcessSample& process : host.frame().processes) {
    EXPECT_TRUE(process.command) << process.pid;
    EXPECT_EQ(process.fields[F::kCpu], 0.0) << process.pid;
  }
}

}  // namespace
}  // namespace gpusight::host
