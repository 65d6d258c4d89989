// SPDX-License-Identifier: Apache-2.0
// Whether TensorBoard itself reads these files back, tests/record/tensorboard_test.py asks.
#include "export/tensorboard.h"

#include <gmock/gmock.h>

#include "export/frame_scalars.h"
#include "testing/test_frame.h"

namespace gpusight::exporting {
namespace {

using testing::ElementsAre;
using testing::Not;

TEST(Crc32c, IsThatOfTheStandard) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);  // RFC 3720, B.4
  EXPECT_EQ(Crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
}

TEST(TensorBoard, AFileBeginsWithItsVersion) {
  std::string out;
  AppendTensorBoardHeader(out, WallTime{1'700'000'000'000'000'000});
  EXPECT_EQ(static_cast<uint8_t>(out[0]), out.size() - 16);  // length, two checksums
  EXPECT_NE(out.find("brain.Event:2"), std::string::npos);
}

TEST(TensorBoard, AnEventWithoutScalarsIsNotWritten) {
  std::string out;
  AppendTensorBoardEvent(out, {}, 1, {});
  EXPECT_EQ(out, "");
}

TEST(TensorBoard, ItsFileIsNamedSoThatItIsFound) {
  EXPECT_EQ(TensorBoardFileName(WallTime{1'700'000'000'500'000'000}, "node-1/../x"),
            "events.out.tfevents.1700000000.node-1____x.gpusight");
}

std::vector<std::string> Tags(const std::vector<Scalar>& scalars) {
  std::vector<std::string> tags;
  for (const Scalar& scalar : scalars) tags.emplace_back(scalar.tag);
  return tags;
}

TEST(FrameScalars, AreLevelsAndNeitherCountersNorWhatIsAbsent) {
  Frame frame = TestFrame();
  frame.devices[0].fields[DeviceField::kUtilization] = 0.5;
  frame.devices[0].fields[DeviceField::kEnergy] = 1e6;
  frame.devices[0].fields[DeviceField::kFan] = Absence::kNotSupported;
  FrameScalars scalars;
  const auto tags = Tags(scalars.Of(frame));
  EXPECT_THAT(tags, testing::Contains("GPU 0/utilization_ratio"));
  EXPECT_THAT(tags, Not(testing::Contains("GPU 0/energy_joules")));
  EXPECT_THAT(tags, Not(testing::Contains("GPU 0/fan_ratio")));
}

TEST(FrameScalars, NameTheRankAndWhatTheProgramMeasures) {
  Frame frame;
  FrameworkSample& framework = frame.frameworks.emplace_back();
  framework.rank = 3;
  framework.fields[FrameworkField::kSteps] = 120;
  framework.fields[FrameworkField::kStepTime] = 0.25;
  framework.allocators.emplace_back().fields[AllocatorField::kReserved] = 1024;
  framework.marks.push_back({MarkType::kMetric, {}, 1.5, "loss"});
  framework.marks.push_back({MarkType::kNote, {}, 0, "hello"});
  FrameScalars scalars;
  EXPECT_THAT(Tags(scalars.Of(frame)),
              ElementsAre("rank 3/step_seconds", "rank 3 device 0/reserved_bytes", "rank 3/loss"));
  EXPECT_EQ(scalars.StepOf(frame), 120);
}

TEST(FrameScalars, WithoutAFrameworkTheStepIsTheSecond) {
  Frame frame;
  frame.time.ns = 1'700'000'000'000'000'000;
  FrameScalars scalars;
  EXPECT_EQ(scalars.StepOf(frame), 0);
  frame.time.ns += 7'400'000'000;
  EXPECT_EQ(scalars.StepOf(frame), 7);
}

}  // namespace
}  // namespace gpusight::exporting
