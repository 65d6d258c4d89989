// SPDX-License-Identifier: Apache-2.0
#include "probe/host/visible_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace gpusight::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Devices in the driver's order.
class Machine {
 public:
  Machine& Gpu(std::string uuid, std::string name = "NVIDIA H200", std::string capability = "9.0",
               int multiprocessors = 132) {
    DeviceInfo& info = devices_.emplace_back();
    info.uuid = std::move(uuid);
    info.index = gpus_++;
    info.name = std::move(name);
    info.pci_bus_id = "00000000:0" + std::to_string(info.index) + ":00.0";
    info.compute_capability = std::move(capability);
    info.multiprocessors = multiprocessors;
    gpu_ = info.uuid;
    return *this;
  }
  Machine& Instance(std::string uuid, int gpu_instance, int compute_instance = 0) {
    DeviceInfo& info = devices_.emplace_back();
    info.uuid = std::move(uuid);
    info.parent_uuid = gpu_;
    info.gpu_instance = gpu_instance;
    info.compute_instance = compute_instance;
    return *this;
  }
  std::vector<const DeviceInfo*> list() const {
    std::vector<const DeviceInfo*> out;
    for (const DeviceInfo& info : devices_) out.push_back(&info);
    return out;
  }
  Frame frame() const {
    Frame frame;
    for (const DeviceInfo& info : devices_) frame.devices.emplace_back().info = info;
    return frame;
  }

 private:
  std::deque<DeviceInfo> devices_;
  std::string gpu_;
  int gpus_ = 0;
};

// The UUIDs with which PyTorch checks its own parser against the driver.
Machine Eight() {
  return Machine()
      .Gpu("GPU-9942190a-aa31-4ff1-4aa9-c388d80f85f1")
      .Gpu("GPU-9e8d35e3-a134-0fdd-0e01-23811fdbd293")
      .Gpu("GPU-e429a63e-c61c-4795-b757-5132caeb8e70")
      .Gpu("GPU-eee1dfbc-0a0f-6ad8-5ff6-dc942a8b9d98")
      .Gpu("GPU-bbcd6503-5150-4e92-c266-97cc4390d04e")
      .Gpu("GPU-472ea263-58d7-410d-cc82-f7fdece5bd28")
      .Gpu("GPU-e56257c4-947f-6a5b-7ec9-0f45567ccf4e")
      .Gpu("GPU-1c20e77d-1c1a-d9ed-fe37-18b8466a78ad");
}

struct Case {
  std::string_view text;
  std::vector<int> devices;
  ListEnd end = ListEnd::kWhole;
};

class CudaGrammar : public testing::TestWithParam<Case> {};

TEST_P(CudaGrammar, OnEightEqualDevices) {
  const Machine machine = Eight();
  const auto visible = ParseCudaVisibleDevices(GetParam().text, "", machine.list());
  EXPECT_EQ(visible.devices, GetParam().devices) << GetParam().text;
  EXPECT_EQ(visible.end, GetParam().end) << GetParam().text;
  EXPECT_TRUE(visible.certain);
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, CudaGrammar,
    testing::Values(Case{"0", {0}}, Case{"2,1", {2, 1}},
                    Case{"7,6,5,4,3,2,1,0", {7, 6, 5, 4, 3, 2, 1, 0}},
                    Case{"", {}, ListEnd::kEmpty}, Case{"-1", {}, ListEnd::kNoDevice},
                    Case{"0,2,-1,1", {0, 2}, ListEnd::kNoDevice},
                    Case{"0, 1, 2, -1, 3", {0, 1, 2}, ListEnd::kNoDevice}, Case{" 0,\t1", {0, 1}},
                    Case{"1gpu2,2ampere", {1, 2}}, Case{"2, +3, -0, 5", {2, 3, 0, 5}},
                    Case{"0,0", {}, ListEnd::kRepeated}, Case{"0, 1, 2, 1", {}, ListEnd::kRepeated},
                    Case{"1,01", {}, ListEnd::kRepeated}, Case{"0,1x,1y", {}, ListEnd::kRepeated},
                    Case{"0,-1,0", {0}, ListEnd::kNoDevice}, Case{"0,9,1", {0}, ListEnd::kNoDevice},
                    Case{"9", {}, ListEnd::kNoDevice}, Case{"0,9,0", {}, ListEnd::kRepeated},
                    Case{"one,two,3,4", {}, ListEnd::kNoDevice},
                    Case{"4,3,two,one", {4, 3}, ListEnd::kNoDevice}, Case{"0-2", {0}},
                    Case{"0,,1", {0}, ListEnd::kNoDevice}, Case{",0", {}, ListEnd::kNoDevice},
                    Case{"0,", {0}, ListEnd::kNoDevice}, Case{" ", {}, ListEnd::kNoDevice},
                    Case{"NoDevFiles", {}, ListEnd::kNoDevice}, Case{"all", {}, ListEnd::kNoDevice},
                    Case{"0;1", {0}}, Case{"0 1", {0}},
                    Case{"99999999999999999999", {}, ListEnd::kNoDevice},
                    Case{"4294967296", {}, ListEnd::kNoDevice}, Case{"+", {}, ListEnd::kNoDevice},
                    Case{"0x1", {0}}, Case{"0,GPU-9e8d35e3", {0}, ListEnd::kWrongKind}));

INSTANTIATE_TEST_SUITE_P(
    Uuids, CudaGrammar,
    testing::Values(
        Case{"GPU-9942190a-aa31-4ff1-4aa9-c388d80f85f1", {0}}, Case{"GPU-9e8d35e3", {1}},
        Case{"GPU-e4,GPU-9e8d35e3", {2, 1}}, Case{"GPU-9e8d35e3,GPU-1,GPU-47", {1, 7, 5}},
        Case{"GPU-123,GPU-9e8d35e3", {}, ListEnd::kNoDevice},
        Case{"GPU-9e8d35e3,GPU-123,GPU-47", {1}, ListEnd::kNoDevice},
        Case{"GPU-9e8d35e3,GPU-e,GPU-47", {1}, ListEnd::kAmbiguous},
        Case{"GPU-", {}, ListEnd::kAmbiguous},
        Case{"GPU-9e8d35e3,GPU-47,GPU-9e8d35e3", {}, ListEnd::kRepeated},
        Case{"GPU-9e8d35e3,GPU-9e8d35e3-a134", {}, ListEnd::kRepeated},
        Case{"GPU-9e8d35e3,1", {1}, ListEnd::kWrongKind},
        Case{"GPU-9e8d35e3, GPU-47", {1}, ListEnd::kWrongKind},
        Case{" GPU-9e8d35e3", {}, ListEnd::kNoDevice}, Case{"GPU-9E8D35E3", {}, ListEnd::kNoDevice},
        Case{"9e8d35e3", {}, ListEnd::kNoDevice}, Case{"MIG-9e8d35e3", {}, ListEnd::kNoDevice}));

TEST(CudaVisibleDevices, ShowsAllWhenNotSet) {
  const Machine machine = Eight();
  const auto visible = ParseCudaVisibleDevices(std::nullopt, "", machine.list());
  EXPECT_THAT(visible.devices, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(CudaVisibleDevices, NamesTheEntryThatEndedTheList) {
  const Machine machine = Eight();
  EXPECT_EQ(ParseCudaVisibleDevices("0,2,-1,1", "", machine.list()).entry, "-1");
}

TEST(CudaVisibleDevices, CountsByPlaceOnTheBusWhenAskedTo) {
  const auto machine =
      Machine().Gpu("GPU-a", "NVIDIA T400", "7.5", 6).Gpu("GPU-b", "NVIDIA H100 PCIe", "9.0", 114);
  const auto by_bus = ParseCudaVisibleDevices("0", "PCI_BUS_ID", machine.list());
  EXPECT_THAT(by_bus.devices, ElementsAre(0));
  EXPECT_TRUE(by_bus.certain);
}

TEST(CudaVisibleDevices, GuessesTheFastestFirstAndSaysSo) {
  const auto machine = Machine()
                           .Gpu("GPU-a", "NVIDIA T400", "7.5", 6)
                           .Gpu("GPU-b", "NVIDIA H100 PCIe", "9.0", 114)
                           .Gpu("GPU-c", "NVIDIA H200", "9.0", 132);
  const auto visible = ParseCudaVisibleDevices("0,1,2", "FASTEST_FIRST", machine.list());
  EXPECT_THAT(visible.devices, ElementsAre(2, 1, 0));
  EXPECT_FALSE(visible.certain);
}

TEST(CudaVisibleDevices, IsCertainOfUuidsOnAnyMachine) {
  const auto machine = Machine().Gpu("GPU-a", "NVIDIA T400").Gpu("GPU-b", "NVIDIA H200");
  EXPECT_TRUE(ParseCudaVisibleDevices("GPU-b", "", machine.list()).certain);
}

Machine WithMig() {
  return Machine()
      .Gpu("GPU-11111111-0000-0000-0000-000000000000")
      .Instance("MIG-aaaaaaaa-0000-0000-0000-000000000000", 1)
      .Instance("MIG-aaaabbbb-0000-0000-0000-000000000000", 2)
      .Gpu("GPU-22222222-0000-0000-0000-000000000000");
}

struct MigCase {
  std::string_view text;
  std::vector<int> devices;
};
class CudaGrammarWithMig : public testing::TestWithParam<MigCase> {};
TEST_P(CudaGrammarWithMig, ShowsOneInstanceAtMost) {
  const Machine machine = WithMig();
  EXPECT_EQ(ParseCudaVisibleDevices(GetParam().text, "", machine.list()).devices,
            GetParam().devices)
      << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(
    Forms, CudaGrammarWithMig,
    testing::Values(MigCase{"MIG-aaaabbbb-0000-0000-0000-000000000000", {2}},
                    MigCase{"MIG-aaaab", {2}}, MigCase{"MIG-aaaa", {}},
                    MigCase{"MIG-GPU-11111111-0000-0000-0000-000000000000/2/0", {2}},
                    MigCase{"MIG-GPU-11111111/1/0", {1}}, MigCase{"MIG-GPU-11111111/3/0", {}},
                    MigCase{"MIG-GPU-22222222/1/0", {}}, MigCase{"MIG-GPU-11111111/1", {}},
                    MigCase{"MIG-aaaabbbb,MIG-aaaaaaaa", {2}}, MigCase{"0", {1}}, MigCase{"1", {3}},
                    MigCase{"1,0", {1}}, MigCase{"GPU-11111111", {1}}));

TEST(CudaVisibleDevices, ShowsOneInstanceWhenNotSet) {
  const Machine machine = WithMig();
  const auto visible = ParseCudaVisibleDevices(std::nullopt, "", machine.list());
  EXPECT_THAT(visible.devices, ElementsAre(1));
  EXPECT_EQ(visible.end, ListEnd::kMig);
}

TEST(CudaVisibleDevices, ShowsNothingOnAMachineWithoutDevices) {
  EXPECT_THAT(ParseCudaVisibleDevices("0", "", {}).devices, IsEmpty());
  EXPECT_THAT(ParseCudaVisibleDevices(std::nullopt, "", {}).devices, IsEmpty());
}

TEST(NvidiaVisibleDevices, TakesTheToolkitsForms) {
  const Machine eight = Eight();
  const Machine mig = WithMig();
  const auto on_eight = [&](std::string_view text) {
    return ParseNvidiaVisibleDevices(text, eight.list());
  };
  const auto on_mig = [&](std::string_view text) {
    return ParseNvidiaVisibleDevices(text, mig.list());
  };
  EXPECT_EQ(on_eight("all")->size(), 8u);
  EXPECT_THAT(*on_eight("none"), IsEmpty());
  EXPECT_THAT(*on_eight(""), IsEmpty());
  EXPECT_FALSE(on_eight("void"));
  EXPECT_THAT(*on_eight("3,1"), ElementsAre(1, 3));
  EXPECT_THAT(*on_eight("3, 1"), ElementsAre(1, 3));
  EXPECT_THAT(*on_eight("GPU-47,0"), ElementsAre(0, 5));
  EXPECT_FALSE(on_eight("8"));
  EXPECT_FALSE(on_eight("0,x"));
  EXPECT_THAT(*on_mig("0:1"), ElementsAre(2));
  EXPECT_THAT(*on_mig("0:0,1"), ElementsAre(1, 3));
  EXPECT_THAT(*on_mig("1"), ElementsAre(3));
  EXPECT_FALSE(on_mig("1:0"));
  EXPECT_FALSE(on_mig("0:"));
  EXPECT_THAT(*on_mig("MIG-GPU-11111111/2/0"), ElementsAre(2));
}

TEST(DeviceOfOrdinal, FollowsTheOrderOfTheJob) {
  const Frame frame = Eight().frame();
  ProcessSample process;
  process.visible_devices = std::string("6,2");
  EXPECT_EQ(DeviceOfOrdinal(frame, process, 0).value(), 6);
  EXPECT_EQ(DeviceOfOrdinal(frame, process, 1).value(), 2);
}

TEST(DeviceOfOrdinal, CountsWithinTheContainersDevices) {
  Frame frame = Eight().frame();
  frame.containers.resize(1);
  frame.containers[0].id = std::string(64, 'a');
  ProcessSample process;
  process.container_index = 0;
  process.container_devices = "4,5";
  process.visible_devices = std::string("1");
  EXPECT_EQ(DeviceOfOrdinal(frame, process, 0).value(), 5);
  frame.containers[0].own = true;  // then the driver shows us the same devices
  EXPECT_EQ(DeviceOfOrdinal(frame, process, 0).value(), 1);
}

TEST(DeviceOfOrdinal, SaysWhyADeviceIsNotThere) {
  const Frame frame = Eight().frame();
  ProcessSample process;
  process.pid = 4711;
  process.visible_devices = std::string("0,0");
  const auto repeated = DeviceOfOrdinal(frame, process, 0);
  ASSERT_FALSE(repeated);
  EXPECT_THAT(repeated.error().what, HasSubstr("process 4711 has no device 0"));
  EXPECT_THAT(repeated.error().what, HasSubstr("names a device twice"));
  process.visible_devices = Absence::kNoPermission;
  const auto hidden = DeviceOfOrdinal(frame, process, 0);
  ASSERT_FALSE(hidden);
  EXPECT_EQ(hidden.error().code, ErrorCode::kNoPermission);
}

TEST(DeviceOfOrdinal, KnowsThatAnUnsetVariableHidesNothing) {
  const Frame frame = Eight().frame();
  ProcessSample process;
  process.visible_devices = Absence::kNoLimit;
  EXPECT_EQ(DeviceOfOrdinal(frame, process, 7).value(), 7);
  EXPECT_FALSE(DeviceOfOrdinal(frame, process, 8));
  EXPECT_FALSE(DeviceOfOrdinal(frame, process, -1));
}

}  // namespace
}  // namespace gpusight::host
