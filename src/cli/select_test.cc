// SPDX-License-Identifier: Apache-2.0
#include "cli/select.h"

#include <gmock/gmock.h>

#include "testing/test_frame.h"

namespace gpusight::cli {
namespace {

using ::testing::ElementsAre;

const std::string kFirst = "GPU-11111111-2222-3333-4444-555555555555";
const std::string kSecond = "GPU-99999999-8888-7777-6666-555555555555";

Result<std::vector<std::string>> Select(const std::vector<std::string>& specs) {
  return SelectDevices(TestFrame(), specs, Language::kEnglish);
}

TEST(SelectDevices, TakesAllWhenNoneIsNamed) {
  EXPECT_THAT(*Select({}), ElementsAre(kFirst, kSecond));
}

TEST(SelectDevices, FindsAnIndexAndTheBeginningOfAUuid) {
  EXPECT_THAT(*Select({"1"}), ElementsAre(kSecond));
  EXPECT_THAT(*Select({"GPU-999"}), ElementsAre(kSecond));
  EXPECT_THAT(*Select({"gpu-999"}), ElementsAre(kSecond));
  EXPECT_THAT(*Select({"9999"}), ElementsAre(kSecond));
  EXPECT_THAT(*Select({"1", "0", "1"}), ElementsAre(kFirst, kSecond));
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
  EXPECT_THAT(*SelectDevices(frame, instance, Language::kEnglish), ElementsAre(kSecond));
  EXPECT_THAT(*SelectDevices(frame, gpu, Language::kEnglish), ElementsAre(kFirst));
}

}  // namespace
}  // namespace gpusight::cli
