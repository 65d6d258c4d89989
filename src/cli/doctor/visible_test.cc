// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "cli/doctor/test_facts.h"

namespace gpusight::doctor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Facts With(const char* value) {
  Facts facts = HealthyFacts();
  facts.frame.devices.push_back(HealthyDevice(1));
  facts.frame.devices.push_back(HealthyDevice(2));
  if (value != nullptr) facts.subject.environment = {{"CUDA_VISIBLE_DEVICES", value}};
  return facts;
}

TEST(VisibleDevicesCheck, AnUnsetVariableShowsAll) {
  EXPECT_THAT(Verdicts(CheckVisibleDevices, With(nullptr)),
              ElementsAre("ok environment.visible_devices"));
}

TEST(VisibleDevicesCheck, TellsWhichDeviceIsCudaZero) {
  const auto lines = RunCheck(CheckVisibleDevices, With("2,0"));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].state, State::kOk);
  EXPECT_THAT(lines[0].text, HasSubstr("are GPU 2, GPU 0"));
}

TEST(VisibleDevicesCheck, AListThatHidesDevicesByMistakeIsAProblem) {
  for (const auto& [value, words] : std::vector<std::pair<const char*, const char*>>{
           {"0,9,1", "'9' names no device and ends the list; devices before it: 1"},
           {"1,1", "named twice"},
           {"0,GPU-00000001", "another kind"},
           {"GPU-0000000", "more than one device"}}) {
    const Facts facts = With(value);
    const auto lines = RunCheck(CheckVisibleDevices, facts);
    ASSERT_EQ(lines.size(), 1U) << value;
    EXPECT_EQ(lines[0].state, State::kProblem) << value;
    EXPECT_THAT(lines[0].text, HasSubstr(words)) << value;
    EXPECT_NE(lines[0].remedy, "") << value;
  }
}

TEST(VisibleDevicesCheck, HidingDevicesOnPurposeIsANote) {
  for (const auto& [value, words] : std::vector<std::pair<const char*, const char*>>{
           {"-1", "hides every device"},
           {"", "set to nothing: hides every device"},
           {"NoDevFiles", "hides every device"},
           {"0,2,-1,1", "devices before it, which a job sees: 2"}}) {
    const auto lines = RunCheck(CheckVisibleDevices, With(value));
    ASSERT_EQ(lines.size(), 1U) << value;
    EXPECT_EQ(lines[0].state, State::kNote) << value;
    EXPECT_THAT(lines[0].text, HasSubstr(words)) << value;
  }
}

TEST(VisibleDevicesCheck, SuggestsAListThatWorks) {
  EXPECT_THAT(RemedyOf(CheckVisibleDevices, With("1,1")), HasSubstr("=0,1,2"));
  EXPECT_THAT(RemedyOf(CheckVisibleDevices, With("1,9")), HasSubstr("=GPU-00000001"));
}

TEST(VisibleDevicesCheck, WarnsThatCudaCountsBySpeedWhenDevicesDiffer) {
  Facts facts = With("1");
  facts.frame.devices[0].info.name = "NVIDIA T400";
  EXPECT_THAT(Verdicts(CheckVisibleDevices, facts),
              ElementsAre("ok environment.visible_devices", "note environment.device_order"));
  facts.subject.environment.emplace_back("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
  EXPECT_THAT(Verdicts(CheckVisibleDevices, facts), ElementsAre("ok environment.visible_devices"));
}

TEST(VisibleDevicesCheck, WithMigOnlyTheFirstInstanceIsSeen) {
  Facts facts = HealthyFacts();
  for (const char* uuid : {"MIG-1", "MIG-2"}) {
    DeviceSample& instance = facts.frame.devices.emplace_back();
    instance.info.uuid = uuid;
    instance.info.parent_uuid = facts.frame.devices[0].info.uuid;
  }
  const auto lines = RunCheck(CheckVisibleDevices, facts);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].state, State::kNote);
  EXPECT_THAT(lines[0].text, HasSubstr("MIG-1"));
}

TEST(VisibleDevicesCheck, ALostDeviceThatToldNothingIsNoMig) {
  Facts facts = With(nullptr);
  facts.frame.devices[1].state = DeviceState::kLost;
  facts.frame.devices[1].info.uuid = facts.frame.devices[1].info.name = "";
  EXPECT_THAT(Verdicts(CheckVisibleDevices, facts), ElementsAre("ok environment.visible_devices"));
}

TEST(VisibleDevicesCheck, SaysNothingWithoutDevices) {
  Facts facts = With("0");
  facts.frame.devices.clear();
  EXPECT_THAT(Verdicts(CheckVisibleDevices, facts), IsEmpty());
}

}  // namespace
}  // namespace gpusight::doctor
