// SPDX-License-Identifier: Apache-2.0
// Old frames are merged without losing extremes, sums or reasons, and young ones stay as they were.
#include "record/rollup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "record/reader.h"
#include "record/series.h"
#include "record/test_recording.h"
#include "record/test_stream.h"

namespace gpusight::record {
namespace {

WriterOptions Keep(double full, double tens, uint64_t limit = 0) {
  WriterOptions options;
  options.retention = {full, tens, limit};
  return options;
}

struct Made {
  std::vector<Frame> written, read;
};

// 400 s of which 60 stay and 200 more are kept in tens.
Made MakeLong(const TestFolder& folder, const std::function<void(Frame&, size_t)>& change = {}) {
  Made made;
  TestStream stream({.devices = 2, .processes = 2});
  Record(
      folder.Path(), 400,
      [&](Frame& frame) {
        stream.Next(frame);
        if (change) change(frame, made.written.size());
        made.written.push_back(frame);
      },
      Keep(60, 260), 5);
  made.read = ReadFrames(folder.Path());
  return made;
}

// The frames of `written` that the merged frame stands for.
std::vector<const Frame*> Behind(const Made& made, size_t at) {
  std::vector<const Frame*> frames;
  const int64_t from = at == 0 ? INT64_MIN : made.read[at - 1].time.ns;
  for (const Frame& frame : made.written) {
    if (frame.time.ns > from && frame.time.ns <= made.read[at].time.ns) frames.push_back(&frame);
  }
  return frames;
}

TEST(Rollup, KeepsYoungFramesAndMergesOlderOnesByTensAndMinutes) {
  const TestFolder folder;
  const Made made = MakeLong(folder);

  size_t young = 0, tens = 0, minutes = 0;
  double covered = 0;
  for (size_t i = 0; i < made.read.size(); ++i) {
    const size_t behind = Behind(made, i).size();
    young += behind == 1 ? 1 : 0;
    tens += behind > 1 && behind <= 11 ? 1 : 0;
    minutes += behind > 11 ? 1 : 0;
    covered += made.read[i].interval_seconds;
  }

  EXPECT_GE(young, 60u);
  EXPECT_LE(young, 75u);
  EXPECT_GE(tens, 20u);
  EXPECT_LE(tens, 28u);
  EXPECT_GE(minutes, 2u);
  double whole = 0;
  for (const Frame& frame : made.written) whole += frame.interval_seconds;
  EXPECT_NEAR(covered, whole, 1e-6);
}

TEST(Rollup, LeavesTheFramesThatItDoesNotMergeAsTheyWere) {
  const TestFolder folder;
  const Made made = MakeLong(folder, [](Frame& frame, size_t i) {
    // Slow numbers, uses and reasons that change now and then, also within one bucket.
    frame.devices[0].fields[DeviceField::kFan] =
        i % 7 < 3 ? Known<double>(0.01 * static_cast<double>(i % 50))
                  : Known<double>(Absence::kLost);
    frame.devices[1].fields[DeviceField::kPcieWidth] = i % 13 == 0 ? 8.0 : 16.0;
    if (i % 11 == 0) frame.processes[1].uses.clear();
    if (i % 9 < 4) frame.processes[2].uses[0].fields[UseField::kSm] = Absence::kNoPermission;
    if (i % 17 == 3) frame.processes.erase(frame.processes.begin() + 3);
  });

  size_t same = 0;
  for (size_t i = 0; i < made.read.size(); ++i) {
    const auto behind = Behind(made, i);
    if (behind.size() != 1) continue;
    SCOPED_TRACE(i);
    ExpectSame(*behind[0], made.read[i]);
    ++same;
  }
  EXPECT_GE(same, 60u);
}

TEST(Rollup, MergesToMeansAndLastValues) {
  const TestFolder folder;
  const Made made = MakeLong(folder);

  for (size_t i = 0; i + 70 < made.read.size(); ++i) {
    const auto behind = Behind(made, i);
    ASSERT_GT(behind.size(), 1u);
    double power = 0, memory = 0;
    for (const Frame* frame : behind) {
      power += *frame->devices[1][DeviceField::kPower] / static_cast<double>(behind.size());
      memory += *frame->devices[0][DeviceField::kMemoryUsed] / static_cast<double>(behind.size());
    }
    const Frame& merged = made.read[i];
    EXPECT_NEAR(*merged.devices[1][DeviceField::kPower], power, 1e-6);
    EXPECT_NEAR(*merged.devices[0][DeviceField::kMemoryUsed], memory, 1);
    EXPECT_EQ(*merged.devices[0][DeviceField::kEnergy],
              *behind.back()->devices[0][DeviceField::kEnergy]);
    EXPECT_TRUE(merged.devices[0].power_ring.empty());
    EXPECT_EQ(merged.devices[0].info.uuid, behind[0]->devices[0].info.uuid);
  }
}

TEST(Rollup, KeepsTheExtremes) {
  const TestFolder folder;
  const Made made = MakeLong(folder, [](Frame& frame, size_t i) {
    if (i == 33) frame.devices[0].fields[DeviceField::kPower] = 999.0;
    if (i == 44) frame.devices[0].fields[DeviceField::kPower] = 3.0;
  });
  const auto recording = Recording::Open(folder.Path(), Language::kEnglish);
  const DeviceField fields[] = {DeviceField::kPower};

  const auto series = DeviceSeries(*recording, recording->Devices()[0].id, fields, {}, 10);

  ASSERT_EQ(series[0].size(), 10u);
  double least = 1e9, most = 0;
  for (const Point& point : series[0]) {
    least = std::min(least, point.least);
    most = std::max(most, point.most);
    EXPECT_NEAR(point.mean, 600, 30);
  }
  EXPECT_EQ(least, 3);
  EXPECT_EQ(most, 999);
}

TEST(Rollup, CountsEveryStepAndEveryStackSample) {
  const TestFolder folder;
  const Made made = MakeLong(folder);
  const auto recording = Recording::Open(folder.Path(), Language::kEnglish);

  uint64_t steps = 0, written = 0, stacks = 0;
  double seconds = 0, written_seconds = 0;
  for (const RecordedStep& step : recording->Steps(0, {})) {
    steps += step.merged;
    seconds += step.step.seconds * step.merged;
  }
  for (const StackCount& stack : recording->Stacks(0, {})) stacks += stack.samples;
  for (const Frame& frame : made.written) {
    for (const FrameworkSample& f : frame.frameworks) {
      written += f.steps.size();
      for (const StepSample& step : f.steps) written_seconds += step.seconds;
    }
  }

  EXPECT_EQ(steps, written);
  EXPECT_NEAR(seconds, written_seconds, 0.01);
  EXPECT_EQ(stacks, 400u * 2 * 20);
}

TEST(Rollup, CountsTheStackSamplesOfIdleMomentsBeforeTheirTimesGo) {
  const TestFolder folder;
  // Idle in the second half of each second; the samples come with a frame two seconds later.
  std::vector<SubSample> late[2];
  MakeLong(folder, [&](Frame& frame, size_t i) {
    for (SubSample& sample : frame.devices[0].utilization_ring) {
      sample.value = sample.time.ns > frame.time.ns - 500'000'000 ? 0 : 1;
    }
    std::swap(frame.devices[0].utilization_ring, late[i % 2]);
    FrameworkSample& framework = frame.frameworks[0];
    framework.stack_samples.clear();
    framework.stack_samples.push_back({{frame.time.ns - 100'000'000}, 0});  // idle
    framework.stack_samples.push_back({{frame.time.ns - 200'000'000}, 0});  // idle
    framework.stack_samples.push_back({{frame.time.ns - 800'000'000}, 1});  // at work
  });
  const auto recording = Recording::Open(folder.Path(), Language::kEnglish);
  const int64_t process = recording->Processes()[0].id;
  const WallTime begin = recording->Read().span.begin;

  const auto stacks = recording->Stacks(process, {{}, {begin.ns + 300'000'000'000}});

  ASSERT_EQ(stacks.size(), 2u);
  EXPECT_NEAR(static_cast<double>(stacks[0].samples), 600, 25);
  EXPECT_EQ(stacks[0].idle_samples, stacks[0].samples);
  EXPECT_EQ(stacks[1].idle_samples, 0u);
}

TEST(Rollup, KeepsProcessesThatLivedShortly) {
  const TestFolder folder;
  const Made made = MakeLong(folder, [](Frame& frame, size_t i) {
    if (i != 25) return;
    ProcessSample& compiler = frame.processes.emplace_back();
    compiler.pid = 7777;
    compiler.command = std::string("ptxas");
    compiler.fields[ProcessField::kCpu] = 1.0;
  });

  const auto recording = Recording::Open(folder.Path(), Language::kEnglish);
  const auto processes = recording->Processes();

  const auto found = std::find_if(processes.begin(), processes.end(),
                                  [](const auto& p) { return p.sample.pid == 7777; });
  ASSERT_NE(found, processes.end());
  EXPECT_EQ(found->seen.begin.ns / 1'000'000'000, made.written[25].time.ns / 1'000'000'000);
  EXPECT_TRUE(std::any_of(made.read.begin(), made.read.end(), [](const Frame& frame) {
    return std::any_of(frame.processes.begin(), frame.processes.end(),
                       [](const ProcessSample& p) { return p.pid == 7777; });
  }));
}

TEST(Rollup, KeepsTheFileWithinItsLimit) {
  const TestFolder folder;
  TestStream stream({.devices = 4, .processes = 2});
  constexpr uint64_t kLimit = 900'000;
  std::vector<Frame> written;
  Record(
      folder.Path(), 600,
      [&](Frame& frame) {
        stream.Next(frame);
        written.push_back(frame);
      },
      Keep(3600, 7200, kLimit), 5);
  struct stat status{};
  stat(folder.Path().c_str(), &status);

  const auto frames = ReadFrames(folder.Path());

  EXPECT_LE(static_cast<uint64_t>(status.st_size), kLimit);
  ASSERT_GT(frames.size(), 50u);
  EXPECT_EQ(frames.back().time, written.back().time);
  ExpectSame(written.back(), frames.back());
}

TEST(Rollup, DropsTheOldestWhenMergingIsNotEnough) {
  const TestFolder folder;
  TestStream stream({.devices = 2, .processes = 2, .interval = 10});
  constexpr uint64_t kLimit = 500'000;
  WallTime last;
  Record(
      folder.Path(), 600,
      [&](Frame& frame) {
        stream.Next(frame);
        last = frame.time;
      },
      Keep(600, 1200, kLimit), 3);
  struct stat status{};
  stat(folder.Path().c_str(), &status);

  const auto frames = ReadFrames(folder.Path());

  EXPECT_LE(static_cast<uint64_t>(status.st_size), kLimit);
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames.back().time, last);
  EXPECT_LT(frames.front().devices.size(), 3u);
}

}  // namespace
}  // namespace gpusight::record
