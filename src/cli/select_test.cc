// SPDX-License-Identifier: Apache-2.0
#include "cli/select.h"

#include <gmock/gmock.h>

#include "testing/test_frame.h"

namespace gpusight::cli {
namespace {

using ::testing::ElementsAre;

const std::string kFirst = "GPU-11111111-2222-3333-4444-555555555555";

Result<std::vector<size_t>> Select(const std::vector<std::string>& specs) {
  return SelectDevices(TestFrame(), specs, Language::kEnglish, Origins());
}

TEST(SelectDevices, TakesAllWhenNoneIsNamed) { EXPECT_THAT(*Select({}), ElementsAre(0, 1)); }

TEST(SelectDevices, FindsAnIndexAndTheBeginningOfAUuid) {
  EXPECT_THAT(*Select({"1"}), ElementsAre(1));
  EXPECT_THAT(*Select({"GPU-999"}), ElementsAre(1));
  EXPECT_THAT(*Select({"gpu-999"}), ElementsAre(1));
  EXPECT_THAT(*Select({"9999"}), ElementsAre(1));
  EXPECT_THAT(*Select({"1", "0", "1"}), ElementsAre(0, 1));
}

TEST(SelectDevices, TakesARangeOfIndices) {
  EXPECT_THAT(*Select({"0-1"}), ElementsAre(0, 1));
  EXPECT_THAT(*Select({"1-1"}), ElementsAre(1));
}

TEST(SelectDevices, RefusesARangeThatLeavesTheMachineOrRunsBackwards) {
  EXPECT_EQ(Select({"0-3"}).error().what, "there is no device '2'; this machine has 2");
  EXPECT_EQ(Select({"1-0"}).error().what, "the range '1-0' runs backwards");
  EXPECT_EQ(Select({"1-0"}).error().remedy, "Write the lower number first.");
}

TEST(SelectDevices, TakesDigitsAndADashForAUuidWhenTheyAreTooLongForIndices) {
  EXPECT_THAT(*Select({"11111111-2222"}), ElementsAre(0));
}

TEST(SelectDevices, NeverTakesANumberForTheBeginningOfAUuid) {
  const auto selected = Select({"9"});
  ASSERT_FALSE(selected);
  EXPECT_EQ(selected.error().code, ErrorCode::kUsage);
  EXPECT_EQ(selected.error().what, "there is no device '9'; this machine has 2");
  EXPECT_EQ(selected.error().remedy, "'gpusight status' lists them.");
}

TEST(SelectDevices, RefusesWhatFitsSeveral) {
  const auto selected = Select({"GPU-"});
  ASSERT_FALSE(selected);
  EXPECT_EQ(selected.error().what, "'GPU-' fits 2 devices");
}

TEST(SelectDevices, FindsAMigInstanceByItsLabel) {
  Frame frame = TestFrame();
  frame.devices[1].info.parent_uuid = kFirst;
  frame.devices[1].info.gpu_instance = 7;
  frame.devices[1].info.compute_instance = 0;
  const std::vector<std::string> instance = {"0/7/0"}, gpu = {"0"};
  EXPECT_THAT(*SelectDevices(frame, instance, Language::kEnglish, Origins()), ElementsAre(1));
  EXPECT_THAT(*SelectDevices(frame, gpu, Language::kEnglish, Origins()), ElementsAre(0));
}

TEST(FindPositions, FollowsDevicesThatMovedOrLeft) {
  Frame frame = TestFrame();
  const size_t both[] = {0, 1};
  const auto uuids = KeysOf(frame, both);
  std::swap(frame.devices[0], frame.devices[1]);
  frame.devices.pop_back();
  std::vector<size_t> positions;
  FindPositions(frame, uuids, positions);
  EXPECT_THAT(positions, ElementsAre(0));
  FindPositions(frame, std::vector<std::string>{kFirst}, positions);
  EXPECT_THAT(positions, ElementsAre());
}

TEST(FindPositions, DoesNotMixDevicesWithoutUuidUp) {
  Frame frame = TestFrame();
  for (DeviceSample& device : frame.devices) device.info.uuid.clear();
  const size_t second[] = {1};
  std::vector<size_t> positions;
  FindPositions(frame, KeysOf(frame, second), positions);
  EXPECT_THAT(positions, ElementsAre(1));
}

}  // namespace
}  // namespace gpusight::cli
