// SPDX-License-Identifier: Apache-2.0
// What goes into a recording comes out of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/recorder.h"
#include "record/test_recording.h"
#include "record/test_stream.h"
#include "testing/test_frame.h"

namespace gpusight::record {
namespace {

using testing::ElementsAre;
using testing::Pair;

Recording Open(const std::string& path) {
  auto recording = Recording::Open(path, Language::kEnglish);
  EXPECT_TRUE(recording) << recording.error().what;
  return std::move(*recording);
}

TEST(Recording, GivesBackTheFrameThatWasWritten) {
  const TestFolder folder;
  Record(folder.Path(), 1, [](Frame& frame) { frame = TestFrame(); });

  const auto frames = ReadFrames(folder.Path());

  ASSERT_EQ(frames.size(), 1u);
  ExpectSame(TestFrame(), frames[0], true);
  EXPECT_EQ(frames[0].events[0].number, 79);
  EXPECT_EQ(frames[0].events[0].device_uuid, TestFrame().devices[0].info.uuid);
  EXPECT_THAT(frames[0].devices[0].xids, ElementsAre(79));
  EXPECT_EQ(frames[0].probes[0].calls, 812u);
}

TEST(Recording, GivesBackAStreamOfFrames) {
  const TestFolder folder;
  std::vector<Frame> written;
  TestStream stream({.devices = 2, .processes = 3});
  Record(folder.Path(), 40, [&](Frame& frame) {
    stream.Next(frame);
    written.push_back(frame);
  });

  const auto frames = ReadFrames(folder.Path());

  ASSERT_EQ(frames.size(), written.size());
  for (size_t i = 0; i < frames.size(); ++i) {
    SCOPED_TRACE(i);
    ExpectSame(written[i], frames[i]);
  }
}

TEST(Recording, HoldsLazyNumbersForTenSecondsAtMost) {
  const TestFolder folder;
  std::vector<Frame> written;
  TestStream stream;
  Record(folder.Path(), 30, [&](Frame& frame) {
    stream.Next(frame);
    written.push_back(frame);
  });

  const auto frames = ReadFrames(folder.Path());

  for (size_t i = 0; i < frames.size(); ++i) {
    const double now = *written[i].processes[0].fields[ProcessField::kMinorFaults];
    const double then =
        *written[i < 11 ? 0 : i - 11].processes[0].fields[ProcessField::kMinorFaults];
    const double read = *frames[i].processes[0].fields[ProcessField::kMinorFaults];
    EXPECT_LE(read, now);
    EXPECT_GE(read, then);
  }
}

TEST(Recording, FollowsWhoComesAndGoes) {
  const TestFolder folder;
  std::vector<Frame> written;
  TestStream stream({.devices = 1, .processes = 4});
  Record(folder.Path(), 6, [&](Frame& frame) {
    stream.Next(frame);
    const size_t i = written.size();
    if (i == 2) frame.processes.erase(frame.processes.begin() + 1);
    if (i == 3) frame.processes[1].uses.clear();
    if (i == 4) frame.frameworks.clear();
    if (i == 5) frame.devices[0].state = DeviceState::kLost;
    written.push_back(frame);
  });

  const auto frames = ReadFrames(folder.Path());

  ASSERT_EQ(frames.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    SCOPED_TRACE(i);
    ExpectSame(written[i], frames[i]);
  }
}

TEST(Recording, SaysWhyANumberIsMissingAsLongAsItIs) {
  const TestFolder folder;
  const Known<double> states[] = {
      Absence::kNotSampledYet, 0.5,  Missing{Absence::kDriverError, 999},
      Absence::kLost,          0.25, Absence::kLost};
  size_t i = 0;
  TestStream stream;
  Record(folder.Path(), 6, [&](Frame& frame) {
    stream.Next(frame);
    frame.devices[0].fields[DeviceField::kFan] = states[i];           // a slow one
    frame.devices[0].fields[DeviceField::kSmActivity] = states[i];    // one per frame
    frame.processes[0].uses[0].fields[UseField::kSm] = states[i];     // one per change
    frame.processes[0].fields[ProcessField::kCpuUser] = states[i++];  // a lazy one
  });

  const auto frames = ReadFrames(folder.Path());

  for (i = 0; i < 6; ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(frames[i].devices[0].fields[DeviceField::kFan], states[i]);
    EXPECT_EQ(frames[i].devices[0].fields[DeviceField::kSmActivity], states[i]);
    EXPECT_EQ(frames[i].processes[0].uses[0].fields[UseField::kSm], states[i]);
    EXPECT_EQ(frames[i].processes[0].fields[ProcessField::kCpuUser], states[i]);
  }
}

TEST(Recording, SeekingGivesTheSameFramesAsReadingOn) {
  const TestFolder folder;
  std::vector<Frame> written;
  TestStream stream({.devices = 2, .processes = 2});
  Record(folder.Path(), 25, [&](Frame& frame) {
    stream.Next(frame);
    written.push_back(frame);
  });
  const auto all = ReadFrames(folder.Path());

  const auto later = ReadFrames(folder.Path(), written[13].time);
  const auto between = ReadFrames(folder.Path(), WallTime{written[13].time.ns + 1});
  const auto none = ReadFrames(folder.Path(), WallTime{written[24].time.ns + 1});

  ASSERT_EQ(later.size(), 12u);
  ASSERT_EQ(between.size(), 11u);
  EXPECT_TRUE(none.empty());
  for (size_t i = 0; i < later.size(); ++i) {
    SCOPED_TRACE(i);
    ExpectSame(all[13 + i], later[i], true);
  }
}

TEST(Recording, KeepsStepsStacksMarksAndFailedAllocations) {
  const TestFolder folder;
  TestStream stream({.processes = 1, .steps = 4});
  int i = 0;
  WallTime marked;
  Record(folder.Path(), 3, [&](Frame& frame) {
    stream.Next(frame);
    if (i++ != 1) return;
    marked = frame.time;
    frame.frameworks[0].marks.push_back({MarkType::kPhase, marked, 0, "eval"});
    frame.frameworks[0].out_of_memory.push_back(
        {marked, 0, 20, 100, 5, 80, 90, 81, 7, "torch/nn.py:3 forward", true});
  });
  const Recording recording = Open(folder.Path());
  const int64_t process = recording.Processes()[0].id;

  const auto steps = recording.Steps(process, {});
  const auto stacks = recording.Stacks(process, {});
  const auto marks = recording.Marks(process, {});
  const auto ooms = recording.OutOfMemories(process, {});

  ASSERT_EQ(steps.size(), 12u);
  EXPECT_EQ(steps[11].step.number, 12u);
  EXPECT_EQ(steps[11].merged, 1u);
  EXPECT_NEAR(steps[11].step.seconds, 0.25, 0.02);
  ASSERT_EQ(stacks.size(), 3u);
  EXPECT_EQ(stacks[0].samples + stacks[1].samples + stacks[2].samples, 60u);
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0].text, "eval");
  EXPECT_EQ(marks[0].time, marked);
  ASSERT_EQ(ooms.size(), 1u);
  EXPECT_EQ(ooms[0].requested, 20u);
  EXPECT_EQ(ooms[0].inactive_split, 7u);
  EXPECT_TRUE(ooms[0].caught);
}

TEST(Recording, MergesStepsOfWhichThereAreTooMany) {
  const TestFolder folder;
  TestStream stream({.processes = 1, .steps = 200});
  Record(folder.Path(), 2, [&](Frame& frame) { stream.Next(frame); });
  const Recording recording = Open(folder.Path());

  const auto steps = recording.Steps(0, {});

  EXPECT_LE(steps.size(), 2 * kStepsPerFrame);
  uint64_t count = 0;
  for (const RecordedStep& step : steps) {
    count += step.merged;
    EXPECT_LE(step.least, step.step.seconds);
    EXPECT_GE(step.most, step.step.seconds);
  }
  EXPECT_EQ(count, 400u);
}

TEST(Recording, TellsOfTheRun) {
  const TestFolder folder;
  RunFacts facts;
  facts.name = "ablation";
  facts.arguments = {"python", "train.py"};
  facts.folder = "/home/ada";
  facts.pid = 17;
  facts.tags = {{"lr", "0.1"}};
  facts.environment = {{"CUDA_VISIBLE_DEVICES", "0"}};
  facts.versions = {{"torch", "2.4.1"}};
  facts.git_commit = "3f2a";
  facts.git_changed = true;
  TestStream stream;
  Record(folder.Path(), 2, [&](Frame& frame) { stream.Next(frame); }, {}, 1, facts);

  const Recording recording = Open(folder.Path());
  const Summary summary = recording.Read();

  EXPECT_EQ(summary.facts.name, "ablation");
  EXPECT_THAT(summary.facts.arguments, ElementsAre("python", "train.py"));
  EXPECT_THAT(summary.facts.tags, ElementsAre(Pair("lr", "0.1")));
  EXPECT_THAT(summary.facts.environment, ElementsAre(Pair("CUDA_VISIBLE_DEVICES", "0")));
  EXPECT_THAT(summary.facts.versions, ElementsAre(Pair("torch", "2.4.1")));
  EXPECT_EQ(summary.facts.git_changed, true);
  EXPECT_EQ(summary.frames, 2u);
  EXPECT_NEAR(summary.span.seconds(), 1, 0.01);
  EXPECT_EQ(summary.hostname, "node-7");
  EXPECT_EQ(summary.driver.version, "580.159.04");
  EXPECT_EQ(summary.end.kind, "");
  EXPECT_EQ(recording.Devices()[0].info.name, "NVIDIA H200");
  EXPECT_EQ(recording.Containers()[0].sample.name, "trainer-0");
  EXPECT_EQ(recording.Processes()[0].framework.version, "2.4.1");
}

TEST(Recording, HidesSecretsOfCommandLines) {
  const TestFolder folder;
  TestStream stream;
  Record(folder.Path(), 1, [&](Frame& frame) {
    stream.Next(frame);
    frame.processes[0].command_line = std::string("python x.py --api-key abc --lr 1");
  });

  EXPECT_EQ(*ReadFrames(folder.Path())[0].processes[0].command_line,
            "python x.py --api-key [hidden] --lr 1");
}

TEST(Recording, LeavesNothingBesideTheFile) {
  const TestFolder folder;
  TestStream stream;
  Record(folder.Path(), 3, [&](Frame& frame) { stream.Next(frame); });
  ReadFrames(folder.Path());

  EXPECT_THAT(folder.Names(), ElementsAre("run.gpusight"));
}

}  // namespace
}  // namespace gpusight::record
