// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cerrno>

#include "cli/doctor/test_facts.h"

namespace gpusight::doctor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Facts WithoutDriver() {
  Facts facts = HealthyFacts();
  facts.frame.driver = {};
  facts.frame.driver.state = DriverState::kNoLibrary;
  facts.frame.devices.clear();
  facts.driver = {};
  facts.driver.modules_known = true;
  facts.management_libraries.clear();
  facts.cuda_libraries.clear();
  for (DeviceNode& node : facts.nodes) node.present = node.is_device = false;
  facts.cards.front().driver.clear();
  return facts;
}

TEST(DriverChecks, AHealthyMachineIsOk) {
  const Facts facts = HealthyFacts();
  EXPECT_THAT(Verdicts(CheckCards, facts), ElementsAre("ok driver.cards"));
  EXPECT_THAT(Verdicts(CheckModule, facts), ElementsAre("ok driver.module"));
  EXPECT_THAT(Verdicts(CheckLibrary, facts), ElementsAre("ok driver.library"));
  EXPECT_THAT(Verdicts(CheckVersions, facts), ElementsAre("ok driver.versions"));
  EXPECT_THAT(Verdicts(CheckDriverAnswer, facts), ElementsAre("ok driver.answer"));
  EXPECT_THAT(Verdicts(CheckNodes, facts), ElementsAre("ok nodes"));
  EXPECT_THAT(Verdicts(CheckUvm, facts), IsEmpty());
  EXPECT_THAT(Verdicts(CheckFabric, facts), IsEmpty());
}

TEST(DriverChecks, WithoutACardOnlyThatIsSaid) {
  Facts facts = WithoutDriver();
  facts.cards.clear();
  EXPECT_THAT(Verdicts(CheckCards, facts), ElementsAre("problem driver.cards"));
  for (const Check check : {CheckModule, CheckLibrary, CheckVersions, CheckDriverAnswer, CheckNodes,
                            CheckUvm, CheckFabric}) {
    EXPECT_THAT(Verdicts(check, facts), IsEmpty());
  }
}

TEST(DriverChecks, AnIntegratedGpuNeedsNoCardOnTheBus) {
  Facts facts = HealthyFacts();
  facts.cards.clear();
  EXPECT_THAT(Verdicts(CheckCards, facts), IsEmpty());
}

TEST(DriverChecks, TellWhyTheModuleIsNotLoaded) {
  Facts facts = WithoutDriver();
  EXPECT_THAT(RemedyOf(CheckModule, facts), HasSubstr("modprobe nvidia"));

  facts.machine.secure_boot = true;
  EXPECT_THAT(RemedyOf(CheckModule, facts), HasSubstr("mokutil"));

  facts.driver.on_disk_known = true;
  EXPECT_THAT(RemedyOf(CheckModule, facts), HasSubstr("linux-headers-6.1.0-30-amd64"));

  facts.driver.nouveau_loaded = true;
  EXPECT_THAT(RemedyOf(CheckModule, facts), HasSubstr("blacklist nouveau"));
  EXPECT_THAT(Verdicts(CheckModule, facts), ElementsAre("problem driver.module"));
}

TEST(DriverChecks, OnTheHostTheLibraryAndTheNodesAreMissedEachForItself) {
  const Facts facts = WithoutDriver();
  EXPECT_THAT(Verdicts(CheckLibrary, facts), ElementsAre("problem driver.library"));
  EXPECT_THAT(Verdicts(CheckNodes, facts), ElementsAre("problem nodes.missing"));
  EXPECT_THAT(Verdicts(CheckContainer, facts), ElementsAre("ok container"));
}

TEST(DriverChecks, ACardOfAVirtualMachineIsANote) {
  Facts facts = HealthyFacts();
  facts.cards.push_back({.bus_id = "0000:17:00.0", .driver = "vfio-pci"});
  EXPECT_THAT(Verdicts(CheckCards, facts), ElementsAre("note driver.cards", "ok driver.cards"));
  EXPECT_THAT(RemedyOf(CheckCards, facts), HasSubstr("0000:17:00.0"));
}

TEST(DriverChecks, ACardThatTheDriverDoesNotListIsAProblem) {
  Facts facts = HealthyFacts();
  facts.cards.push_back({.bus_id = "0000:17:00.0", .driver = "nvidia"});
  EXPECT_THAT(Verdicts(CheckCards, facts), ElementsAre("problem driver.cards"));
  // A container sees the bus and only its share of the cards.
  PutIntoContainer(facts);
  EXPECT_THAT(Verdicts(CheckCards, facts), ElementsAre("ok driver.cards"));
}

TEST(DriverChecks, AnotherVersionOfTheLibraryIsAProblem) {
  Facts facts = HealthyFacts();
  facts.management_libraries.front().version = "550.54.15";
  facts.frame.driver.state = DriverState::kMismatch;
  EXPECT_THAT(Verdicts(CheckVersions, facts), ElementsAre("problem driver.versions"));
  EXPECT_THAT(RemedyOf(CheckVersions, facts), HasSubstr("reboot"));
  EXPECT_THAT(Verdicts(CheckDriverAnswer, facts), ElementsAre("problem driver.answer"));
  PutIntoContainer(facts);
  EXPECT_THAT(RemedyOf(CheckVersions, facts), HasSubstr("image"));
}

TEST(DriverChecks, ALeftOverLibraryBesideTheRightOneIsANote) {
  Facts facts = HealthyFacts();
  facts.cuda_libraries.push_back({"/usr/lib/libcuda.so.470.1.2", "470.1.2"});
  EXPECT_THAT(Verdicts(CheckVersions, facts), ElementsAre("note driver.versions"));
  EXPECT_THAT(RemedyOf(CheckVersions, facts), HasSubstr("libcuda.so.470.1.2"));
}

TEST(DriverChecks, CompatibilityLibrariesInThePathAreANote) {
  Facts facts = HealthyFacts();
  facts.subject.environment = {{"LD_LIBRARY_PATH", "/usr/lib:/usr/local/cuda/compat"}};
  EXPECT_THAT(Verdicts(CheckLibrary, facts),
              ElementsAre("ok driver.library", "note driver.compat"));
}

TEST(DriverChecks, ADriverThatHangsOrFailsIsAProblem) {
  Facts facts = HealthyFacts();
  DriverInfo& driver = facts.frame.driver;
  driver.state = DriverState::kNoAnswer;
  driver.silent_seconds = 90;
  EXPECT_THAT(RunCheck(CheckDriverAnswer, facts).front().text, HasSubstr("90 s"));
  driver.state = DriverState::kError;
  driver.code = 999;
  driver.message = "unknown error";
  EXPECT_THAT(RunCheck(CheckDriverAnswer, facts).front().text, HasSubstr("999"));
}

TEST(DriverChecks, SwitchesNeedTheFabricManager) {
  Facts facts = HealthyFacts();
  facts.cards.push_back({.bus_id = "0000:05:00.0", .driver = "nvidia", .is_switch = true});
  EXPECT_THAT(Verdicts(CheckFabric, facts), ElementsAre("problem driver.fabric"));
  facts.bystanders.push_back({812, "nv-fabricmanager"});
  EXPECT_THAT(Verdicts(CheckFabric, facts), ElementsAre("ok driver.fabric"));
  EXPECT_THAT(Verdicts(CheckCards, facts), ElementsAre("ok driver.cards"));
}

TEST(DriverChecks, WslIsExplainedAndNotAskedForLinuxThings) {
  Facts facts = WithoutDriver();
  facts.machine.wsl = true;
  facts.cards.clear();
  EXPECT_THAT(Verdicts(CheckCards, facts), ElementsAre("note driver.wsl"));
  EXPECT_THAT(Verdicts(CheckModule, facts), IsEmpty());
  EXPECT_THAT(RemedyOf(CheckLibrary, facts), HasSubstr("wsl --update"));
  EXPECT_THAT(Verdicts(CheckNodes, facts), IsEmpty());
}

TEST(NodeChecks, MissingNodesAreMadeByModprobe) {
  Facts facts = HealthyFacts();
  facts.frame.driver.state = DriverState::kError;
  facts.nodes[0].present = facts.nodes[2].present = false;
  EXPECT_THAT(Verdicts(CheckNodes, facts), ElementsAre("problem nodes.missing"));
  EXPECT_THAT(RemedyOf(CheckNodes, facts), HasSubstr("nvidia-modprobe"));
}

TEST(NodeChecks, ANodeOfAGroupAsksForMembership) {
  Facts facts = HealthyFacts();
  DeviceNode& node = facts.nodes[2];
  node.mode = 0660;
  node.gid = 44;
  node.group = "video";
  node.access_error = EACCES;
  EXPECT_THAT(Verdicts(CheckNodes, facts), ElementsAre("problem nodes.permission"));
  EXPECT_EQ(RemedyOf(CheckNodes, facts), "Run 'sudo usermod -aG video lin', then log in anew.");
  node.mode = 0600;
  EXPECT_THAT(RemedyOf(CheckNodes, facts), HasSubstr("NVreg_DeviceFileMode"));
}

TEST(NodeChecks, AnOrdinaryFileIsNoNode) {
  Facts facts = HealthyFacts();
  facts.nodes[2].is_device = false;
  EXPECT_THAT(Verdicts(CheckNodes, facts), ElementsAre("problem nodes.kind"));
}

TEST(NodeChecks, CudaNeedsTheNodeOfUnifiedMemory) {
  Facts facts = HealthyFacts();
  facts.nodes[1].present = false;
  EXPECT_THAT(Verdicts(CheckUvm, facts), ElementsAre("problem nodes.uvm"));
}

TEST(ContainerChecks, AContainerWithoutAGpuIsOneProblem) {
  Facts facts = WithoutDriver();
  PutIntoContainer(facts);
  EXPECT_THAT(Verdicts(CheckContainer, facts),
              ElementsAre("ok container", "problem container.no_gpu"));
  EXPECT_THAT(RemedyOf(CheckContainer, facts), HasSubstr("--gpus all"));
  EXPECT_THAT(Verdicts(CheckLibrary, facts), IsEmpty());
  EXPECT_THAT(Verdicts(CheckNodes, facts), IsEmpty());
}

TEST(ContainerChecks, VoidMeansNoDeviceUnlessThereAreSome) {
  Facts facts = WithoutDriver();
  PutIntoContainer(facts);
  facts.subject.environment = {{"NVIDIA_VISIBLE_DEVICES", "void"}};
  EXPECT_THAT(Verdicts(CheckNvidiaVariables, facts),
              ElementsAre("problem container.visible_devices"));
  Facts given = HealthyFacts();
  PutIntoContainer(given);
  given.subject.environment = facts.subject.environment;
  EXPECT_THAT(Verdicts(CheckNvidiaVariables, given), ElementsAre("ok container.visible_devices"));
}

TEST(ContainerChecks, DriverCapabilitiesMustNameComputeAndUtility) {
  Facts facts = HealthyFacts();
  PutIntoContainer(facts);
  facts.subject.environment = {{"NVIDIA_DRIVER_CAPABILITIES", "graphics, utility"}};
  const auto lines = RunCheck(CheckNvidiaVariables, facts);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0].text, HasSubstr("libcuda.so.1"));
  facts.subject.environment = {{"NVIDIA_DRIVER_CAPABILITIES", "compute,utility"}};
  EXPECT_THAT(Verdicts(CheckNvidiaVariables, facts), IsEmpty());
  facts.subject.environment = {{"NVIDIA_DRIVER_CAPABILITIES", "all"}};
  EXPECT_THAT(Verdicts(CheckNvidiaVariables, facts), IsEmpty());
}

TEST(ContainerChecks, DevicesLostByADaemonReloadAreRecognised) {
  Facts facts = HealthyFacts();
  PutIntoContainer(facts);
  facts.frame.driver.state = DriverState::kError;
  facts.nodes.front().open_error = EPERM;
  EXPECT_THAT(Verdicts(CheckReload, facts), ElementsAre("problem container.lost_devices"));
  EXPECT_THAT(RemedyOf(CheckReload, facts), HasSubstr("create-dev-char-symlinks"));
  EXPECT_THAT(Verdicts(CheckNodes, facts), IsEmpty());  // said once
}

TEST(ContainerChecks, TheHostIsWarnedOfTheSame) {
  Facts facts = HealthyFacts();
  facts.toolkit.engines = {"docker"};
  facts.toolkit.toolkit = facts.toolkit.docker_runtime = true;
  EXPECT_THAT(Verdicts(CheckReload, facts), ElementsAre("note container.reload"));
  facts.toolkit.char_links = true;
  EXPECT_THAT(Verdicts(CheckReload, facts), IsEmpty());
}

TEST(ContainerChecks, TheToolkitMustBeThereAndConfigured) {
  Facts facts = HealthyFacts();
  EXPECT_THAT(Verdicts(CheckToolkit, facts), IsEmpty());
  facts.toolkit.engines = {"docker"};
  EXPECT_THAT(RemedyOf(CheckToolkit, facts), HasSubstr("nvidia-container-toolkit"));
  facts.toolkit.toolkit = true;
  EXPECT_THAT(RemedyOf(CheckToolkit, facts), HasSubstr("runtime configure"));
  facts.toolkit.docker_runtime = true;
  EXPECT_THAT(Verdicts(CheckToolkit, facts), ElementsAre("ok container.toolkit"));
}

TEST(ContainerChecks, ASpecificationOfAnotherDriverIsStale) {
  Facts facts = HealthyFacts();
  facts.toolkit.specs = {{"/etc/cdi/nvidia.yaml", {"580.159.04"}},
                         {"/var/run/cdi/x.yaml", {"550.1.2"}}};
  EXPECT_THAT(Verdicts(CheckCdi, facts), ElementsAre("ok container.cdi", "problem container.cdi"));
  EXPECT_EQ(RemedyOf(CheckCdi, facts), "sudo nvidia-ctk cdi generate --output=/var/run/cdi/x.yaml");
}

TEST(ContainerChecks, APidNamespaceOfItsOwnIsExplained) {
  Facts facts = HealthyFacts();
  EXPECT_THAT(Verdicts(CheckPidNamespace, facts), ElementsAre("ok container.pid_namespace"));
  facts.subject.pid_namespace = uint64_t{4026532501};
  EXPECT_THAT(Verdicts(CheckPidNamespace, facts), ElementsAre("note container.pid_namespace"));
  EXPECT_THAT(RemedyOf(CheckPidNamespace, facts), HasSubstr("--pid=host"));
}

}  // namespace
}  // namespace gpusight::doctor
