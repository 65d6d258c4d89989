// SPDX-License-Identifier: Apache-2.0
// The collectors on small trees that stand for "/": each machine here is one that the doctor must
// recognise. The texts are those of real kernels and drivers.
#include "cli/doctor/collect.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "testing/temp_folder.h"

namespace gpusight::doctor {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CollectTest : public testing::Test {
 protected:
  void File(const std::string& path, std::string_view text) {
    std::filesystem::create_directories(std::filesystem::path(folder_ + path).parent_path());
    std::ofstream(folder_ + path, std::ios::binary) << text;
  }
  void Link(const std::string& path, const std::string& target) {
    std::filesystem::create_directories(std::filesystem::path(folder_ + path).parent_path());
    std::filesystem::create_symlink(target, folder_ + path);
  }
  void Card(const std::string& bus_id, const std::string& driver, const char* kind = "0x030200") {
    const std::string device = "/sys/bus/pci/devices/" + bus_id;
    File(device + "/vendor", "0x10de\n");
    File(device + "/class", kind + "\n"s);
    File(device + "/numa_node", "1\n");
    if (!driver.empty()) Link(device + "/driver", "../../../bus/pci/drivers/" + driver);
  }
  Facts Look(Question question = {}, Frame frame = {}) {
    question.try_nodes = false;
    return Collect(Root(folder_), question, std::move(frame));
  }

  const TempFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

TEST_F(CollectTest, AnEmptyRootGivesFactsAndNoCrash) {
  const Facts facts = Look();
  EXPECT_FALSE(facts.pci_known);
  EXPECT_FALSE(facts.driver.nvidia_loaded);
  EXPECT_FALSE(facts.subject.container.in);
  EXPECT_FALSE(facts.machine.secure_boot.known());
  EXPECT_THAT(facts.machine.xids, IsEmpty());
}

TEST_F(CollectTest, SeesALoadedDriverAndItsCards) {
  Card("0000:17:00.0", "nvidia");
  Card("0000:05:00.0", "nvidia", "0x068000");
  File("/sys/bus/pci/devices/0000:00:02.0/vendor", "0x8086\n");
  File(
      "/proc/driver/nvidia/version",
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Sat Feb 24 22:53:57 UTC 2024\n");
  File("/proc/driver/nvidia/params", "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\n");
  File("/proc/modules",
       "nvidia_uvm 1540096 0 - Live 0x0 (POE)\nnvidia 56778752 1 - Live 0x0 (POE)\n");
  const Facts facts = Look();
  ASSERT_EQ(facts.cards.size(), 2U);
  EXPECT_TRUE(facts.cards[0].is_switch);
  EXPECT_EQ(facts.cards[1].bus_id, "0000:17:00.0");
  EXPECT_EQ(facts.cards[1].driver, "nvidia");
  EXPECT_EQ(facts.cards[1].numa_node, 1);
  EXPECT_EQ(facts.driver.version, "535.161.08");
  EXPECT_TRUE(facts.driver.uvm_loaded);
  EXPECT_EQ(facts.driver.profiling_for_admins_only, Known<bool>(true));
}

TEST_F(CollectTest, SeesNouveauAndWhetherAModuleIsOnDisk) {
  Card("0000:01:00.0", "nouveau", "0x030000");
  File("/proc/modules", "nouveau 3096576 4 - Live 0x0000000000000000\n");
  File("/proc/sys/kernel/osrelease", "6.1.0-30-amd64\n");
  File("/lib/modules/6.1.0-30-amd64/modules.dep", "kernel/drivers/gpu/drm/nouveau/nouveau.ko:\n");
  const Facts facts = Look();
  EXPECT_TRUE(facts.driver.nouveau_loaded);
  EXPECT_TRUE(facts.driver.on_disk_known);
  EXPECT_FALSE(facts.driver.on_disk);
  EXPECT_EQ(facts.machine.kernel, "6.1.0-30-amd64");
}

TEST_F(CollectTest, ReadsSecureBootBehindItsAttributes) {
  const std::string path =
      "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
  File(path, "\x06\0\0\0\x01"s);
  EXPECT_EQ(Look().machine.secure_boot, Known<bool>(true));
  File(path, "\x06\0\0\0\0"s);
  EXPECT_EQ(Look().machine.secure_boot, Known<bool>(false));
}

TEST_F(CollectTest, FindsLibrariesWithTheirVersions) {
  const std::string lib = "/usr/lib/x86_64-linux-gnu/";
  File(lib + "libcuda.so.550.54.15", "");
  File(lib + "libcuda.so.1", "");
  File(lib + "libnvidia-ml.so.580.159.04", "");
  const Facts facts = Look();
  ASSERT_EQ(facts.cuda_libraries.size(), 1U);
  EXPECT_EQ(facts.cuda_libraries[0].path, lib + "libcuda.so.550.54.15");
  ASSERT_EQ(facts.management_libraries.size(), 1U);
  EXPECT_EQ(facts.management_libraries[0].version, "580.159.04");
}

TEST_F(CollectTest, ListsTheDriversNodes) {
  File("/dev/nvidiactl", "");
  File("/dev/nvidia0", "");
  File("/dev/nvidia11", "");
  File("/dev/nvidia-modeset", "");
  std::vector<std::string> present;
  for (const DeviceNode& node : Look().nodes) {
    if (node.present) present.push_back(node.path);
  }
  EXPECT_THAT(present, ElementsAre("/dev/nvidiactl", "/dev/nvidia0", "/dev/nvidia11"));
}

TEST_F(CollectTest, OnALiveMachineANodeMustBeADevice) {
  File("/dev/nvidiactl", "");
  Facts facts;
  facts.frame.driver.state = DriverState::kOk;
  CollectNodes(Root(folder_), true, facts);
  EXPECT_TRUE(facts.nodes.front().present);
  EXPECT_FALSE(facts.nodes.front().is_device);
}

TEST_F(CollectTest, DescribesAnotherProcess) {
  File("/proc/41822/status",
       "Name:\tpython3\nUid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\n"
       "Cpus_allowed_list:\t0-7\n");
  File("/proc/41822/limits",
       "Limit                     Soft Limit           Hard Limit           Units     \n"
       "Max open files            1024                 524288               files     \n");
  File("/proc/41822/environ", "FLAGS_malloc_trunk_size=1\0OMP_NUM_THREADS=8\0"s);
  Link("/proc/41822/ns/pid", "pid:[4026532501]");
  File("/etc/passwd", "root:x:0:0:root::/bin/sh\nlin:x:1000:1000::/:/bin/sh\n");
  const Facts facts = Look({.pid = 41822});
  const Subject& subject = facts.subject;
  EXPECT_EQ(subject.presence, Presence::kHere);
  EXPECT_FALSE(subject.self);
  EXPECT_EQ(subject.user, "lin");
  EXPECT_EQ(subject.capabilities, Known<uint64_t>(uint64_t{0}));
  EXPECT_EQ(subject.cpus_allowed, 8);
  EXPECT_EQ(subject.max_files, Known<double>(1024));
  EXPECT_EQ(subject.pid_namespace, Known<uint64_t>(uint64_t{4026532501}));
  EXPECT_EQ(subject.Variable("OMP_NUM_THREADS"), "8");
  EXPECT_EQ(subject.Variable("PATH"), std::nullopt);
}

TEST_F(CollectTest, AProcessThatIsNotThereIsNotFound) {
  EXPECT_EQ(Look({.pid = 4711}).subject.presence, Presence::kNowhere);
}

TEST_F(CollectTest, AProcessOfWhichLittleIsRecordedIsThereAllTheSame) {
  File("/proc/41822/cmdline", "python3\0train.py\0"s);
  EXPECT_EQ(Look({.pid = 41822}).subject.presence, Presence::kHere);
}

TEST_F(CollectTest, AProcessThatOnlyTheDriverKnowsHasEndedOrIsOutside) {
  Frame frame;
  for (const int pid : {17, 18}) {
    ProcessSample& process = AddProcess(frame);
    process.pid = pid;
    process.translated = pid == 17;
    process.uses.emplace_back();
  }
  EXPECT_EQ(Look({.pid = 17}, frame).subject.presence, Presence::kEnded);
  EXPECT_EQ(Look({.pid = 18}, frame).subject.presence, Presence::kOutside);
}

TEST_F(CollectTest, AnEnvironmentThatMayNotBeReadIsUnknownNotEmpty) {
  File("/proc/41822/status", "Name:\tpython3\n");
  EXPECT_FALSE(Look({.pid = 41822}).subject.environment_known);
}

TEST_F(CollectTest, OurOwnEnvironmentIsTheOneThatIsHandedIn) {
  File("/proc/self/environ", "A=file\0"s);
  const Facts facts = Look({.environment = "A=handed in\0"s});
  EXPECT_EQ(facts.subject.Variable("A"), "handed in");
}

TEST_F(CollectTest, TellsAContainerByItsControlGroup) {
  Frame frame;
  ContainerSample& container = frame.containers.emplace_back();
  container.own = true;
  container.runtime = "docker";
  container.id = std::string(64, 'a');
  const Facts facts = Look({}, frame);
  EXPECT_TRUE(facts.subject.container.in);
  EXPECT_EQ(facts.subject.container.name, "docker aaaaaaaaaaaa");
  EXPECT_EQ(facts.subject.container.evidence, ContainerEvidence::kMounts);
  EXPECT_EQ(facts.Container(), &facts.frame.containers[0]);
}

TEST_F(CollectTest, AServiceOfSystemdIsNoContainer) {
  Frame frame;
  ContainerSample& service = frame.containers.emplace_back();
  service.own = true;
  service.runtime = "systemd";
  EXPECT_FALSE(Look({}, frame).subject.container.in);
}

TEST_F(CollectTest, TellsAContainerByItsMarks) {
  File("/run/.containerenv", "");
  EXPECT_TRUE(Look().subject.container.in);
}

// A virtual machine whose disk was made from an image.
TEST_F(CollectTest, AFileThatAnImageLeftMakesNoContainer) {
  File("/.dockerenv", "");
  File("/proc/self/mountinfo", "27 1 254:0 / / rw,relatime - ext4 /dev/root rw\n");
  Link("/proc/self/ns/pid", "pid:[4026531836]");
  Link("/proc/self/ns/cgroup", "cgroup:[4026531835]");
  const ContainerVerdict verdict = Look().subject.container;
  EXPECT_FALSE(verdict.in);
  EXPECT_EQ(verdict.evidence, ContainerEvidence::kMarkLeft);
  EXPECT_EQ(verdict.detail, "/.dockerenv");
}

TEST_F(CollectTest, TheFirstProcessOfAContainerNamesItsRuntime) {
  Link("/proc/self/ns/pid", "pid:[4026532501]");
  File("/proc/1/environ", "PATH=/bin\0container=podman\0"s);
  const ContainerVerdict verdict = Look().subject.container;
  EXPECT_TRUE(verdict.in);
  EXPECT_EQ(verdict.name, "podman");
}

TEST_F(CollectTest, NamesThePod) {
  Frame frame;
  ContainerSample& container = frame.containers.emplace_back();
  container.own = true;
  container.runtime = "containerd";
  container.pod_uid = "0f1e";
  container.pod_namespace = "ml";
  container.pod_name = "train-0";
  EXPECT_EQ(Look({}, frame).subject.container.name, "containerd ml/train-0");
}

TEST_F(CollectTest, SeesTheContainerToolkitAndItsSpecifications) {
  File("/usr/bin/dockerd", "");
  File("/usr/bin/nvidia-ctk", "");
  File("/etc/docker/daemon.json",
       R"({"runtimes": {"nvidia": {"path": "nvidia-container-runtime"}}})");
  File("/etc/cdi/nvidia.yaml",
       "cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ncontainerEdits:\n  mounts:\n"
       "  - hostPath: /usr/lib/x86_64-linux-gnu/libcuda.so.550.54.15\n");
  File("/etc/cdi/other.yaml", "kind: example.com/nic\n");
  const Toolkit toolkit = Look().toolkit;
  EXPECT_THAT(toolkit.engines, ElementsAre("docker"));
  EXPECT_TRUE(toolkit.toolkit);
  EXPECT_TRUE(toolkit.docker_runtime);
  ASSERT_EQ(toolkit.specs.size(), 1U);
  EXPECT_THAT(toolkit.specs[0].versions, ElementsAre("550.54.15"));
  EXPECT_FALSE(toolkit.char_links);
}

TEST_F(CollectTest, ReadsTheKernelsLog) {
  File("/dev/kmsg",
       "6,1,5140900,-;NVRM: loading NVIDIA UNIX x86_64 Kernel Module\n"
       "4,2,9140900,-;NVRM: Xid (PCI:0000:17:00): 79, pid=1, GPU has fallen off the bus.\n");
  const Facts facts = Look();
  EXPECT_EQ(facts.machine.kernel_log, Known<bool>(true));
  ASSERT_EQ(facts.machine.xids.size(), 1U);
  EXPECT_EQ(facts.machine.xids[0].xid, 79);
}

TEST_F(CollectTest, FindsOtherMonitorsByTheKernelsShortName) {
  File("/proc/812/comm", "nv-hostengine\n");
  File("/proc/813/comm", "nvidia-persiste\n");
  File("/proc/814/comm", "python3\n");
  File("/proc/self/comm", "nsys\n");
  const Facts facts = Look();
  EXPECT_TRUE(facts.Runs("nv-hostengine"));
  EXPECT_TRUE(facts.Runs("nvidia-persistenced"));
  EXPECT_FALSE(facts.Runs("nsys"));
}

TEST_F(CollectTest, RecognisesWslByItsKernel) {
  File("/proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2\n");
  EXPECT_TRUE(Look().machine.wsl);
}

TEST_F(CollectTest, ReadsTheMachinesSettings) {
  File("/proc/sys/vm/overcommit_memory", "2\n");
  const std::string policy = "/sys/devices/system/cpu/cpu0/cpufreq/";
  File(policy + "scaling_governor", "powersave\n");
  File(policy + "scaling_driver", "acpi-cpufreq\n");
  for (const char* node : {"node0", "node1", "online"}) {
    File("/sys/devices/system/node/" + std::string(node) + "/x", "");
  }
  File("/sys/class/infiniband/mlx5_0/node_type", "1: CA\n");
  const Machine machine = Look().machine;
  EXPECT_EQ(machine.overcommit, Known<int>(2));
  EXPECT_EQ(machine.governor, "powersave");
  EXPECT_EQ(machine.governor_driver, "acpi-cpufreq");
  EXPECT_EQ(machine.numa_nodes, 2);
  EXPECT_TRUE(machine.infiniband);
}

}  // namespace
}  // namespace gpusight::doctor
