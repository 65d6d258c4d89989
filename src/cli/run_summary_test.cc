// SPDX-License-Identifier: Apache-2.0
#include "cli/run_summary.h"

#include <gmock/gmock.h>

namespace gpusight::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kGiB = 1 << 30;
constexpr int kPid = 4242;
constexpr int64_t kBegin = 1'796'000'000'000'000'000;

// Frames of a second each, on one device that the job uses from the second one on.
class Summary : public ::testing::Test {
 protected:
  Summary() {
    frame.devices.resize(1);
    frame.devices[0].info.uuid = "GPU-1";
    frame.processes.resize(1);
    frame.processes[0].pid = kPid;
    frame.processes[0].in_job = true;
    frame.time.ns = kBegin;
  }
  DeviceSample& device(size_t i = 0) { return frame.devices[i]; }
  void Use(double bytes, int on = 0) {
    GpuUse use;
    use.device = on;
    use.fields[UseField::kMemory] = bytes;
    frame.processes[0].uses.push_back(use);
  }
  FrameworkSample& framework() {
    if (frame.frameworks.empty()) frame.frameworks.emplace_back().pid = kPid;
    return frame.frameworks[0];
  }
  void Add(double seconds = 1) {
    frame.interval_seconds = seconds;
    frame.time.ns += static_cast<int64_t>(seconds * 1e9);
    summary.Add(frame);
  }
  std::string Text(Closing closing = {}, Language language = Language::kEnglish) {
    if (closing.name.empty()) closing.name = "train";
    return SummaryText(summary, closing, 200, language);
  }
  Frame frame;
  RunSummary summary;
};

TEST_F(Summary, CountsADeviceFromWhenTheJobUsesIt) {
  device().fields[DeviceField::kUtilization] = 1.0;
  device().fields[DeviceField::kEnergy] = 1000.0;
  Add();
  Use(4 * kGiB);
  device().fields[DeviceField::kUtilization] = 0.5;
  device().fields[DeviceField::kEnergy] = 1100.0;
  Add();
  device().fields[DeviceField::kEnergy] = 1300.0;
  Add();
  const auto numbers = summary.numbers();
  EXPECT_EQ(numbers.devices, 1u);
  EXPECT_FALSE(numbers.whole_machine);
  EXPECT_EQ(numbers.utilization, 0.5);
  EXPECT_EQ(numbers.energy, 300.0);
  EXPECT_EQ(numbers.mean_power, 150.0);
}

TEST_F(Summary, EnergyIsPowerOverTimeWhereTheCounterStandsStill) {
  Use(1);
  device().fields[DeviceField::kEnergy] = 1000.0;
  device().fields[DeviceField::kPower] = 200.0;
  Add();
  device().fields[DeviceField::kPowerMean] = 300.0;
  Add();
  EXPECT_EQ(summary.numbers().energy, 500.0);
  EXPECT_EQ(summary.numbers().mean_power, 250.0);
}

TEST_F(Summary, TakesTheDriversOwnSamplesWhereThereAreSome) {
  Use(1);
  device().fields[DeviceField::kUtilization] = 1.0;
  Add();
  Add();
  const auto after = [](double seconds) {
    return WallTime{kBegin + static_cast<int64_t>(seconds * 1e9)};
  };
  // Of both seconds at once, and of half a second before the job came.
  for (const double t : {-0.5, -0.25, 0.0}) device().utilization_ring.push_back({after(t), 1});
  for (const double t : {0.5, 1.0, 1.5}) device().utilization_ring.push_back({after(t), 0.5});
  for (const double t : {2.0, 2.5, 3.0}) device().utilization_ring.push_back({after(t), 0});
  Add();
  EXPECT_NEAR(*summary.numbers().utilization, 0.25, 1e-9);
  EXPECT_NEAR(*summary.numbers().idle_share, 0.75, 1e-9);
}

TEST_F(Summary, WeighsFramesByTheirLength) {
  Use(1);
  device().fields[DeviceField::kSmActivity] = 1.0;
  Add(9);
  device().fields[DeviceField::kSmActivity] = 0.0;
  Add(1);
  EXPECT_EQ(summary.numbers().sm_activity, 0.9);
}

TEST_F(Summary, FindsThePeaksOfTheFullestDevice) {
  frame.devices.resize(2);
  device(1).info.uuid = "GPU-2";
  Use(3 * kGiB, 0);
  Use(5 * kGiB, 1);
  Use(1 * kGiB, 1);
  device(0).fields[DeviceField::kMemoryUsed] = 4 * kGiB;
  device(1).fields[DeviceField::kMemoryUsed] = 7 * kGiB;
  Add();
  frame.processes[0].uses.clear();
  Use(2 * kGiB, 0);
  device(1).fields[DeviceField::kMemoryUsed] = 1 * kGiB;
  Add();
  EXPECT_EQ(summary.numbers().devices, 2u);
  EXPECT_EQ(summary.numbers().process, 6 * kGiB);
  EXPECT_EQ(summary.numbers().device, 7 * kGiB);
}

TEST_F(Summary, LeavesOutNeighbours) {
  frame.processes[0].in_job = false;
  Use(3 * kGiB);
  framework().fields[FrameworkField::kSteps] = 9.0;
  Add();
  EXPECT_EQ(summary.numbers().devices, 0u);
  EXPECT_FALSE(summary.numbers().told);
  EXPECT_THAT(Text(), HasSubstr("the job used no GPU"));
}

TEST_F(Summary, ShowsTheWholeMachineWhereNobodyCanTell) {
  frame.processes.emplace_back().translated = false;
  frame.processes[1].uses.resize(1);
  device().fields[DeviceField::kUtilization] = 0.5;
  Add();
  EXPECT_TRUE(summary.numbers().whole_machine);
  EXPECT_THAT(Text(), HasSubstr("50%"));
  EXPECT_THAT(Text(), HasSubstr("cannot be told from here"));
}

TEST_F(Summary, KnowsStepsAndTheirMedian) {
  framework().fields[FrameworkField::kSteps] = 4.0;
  framework().steps = {{1, {}, 30, 0}, {2, {}, 0.5, 0.1}, {3, {}, 0.5, 0.1}, {4, {}, 2, 0.2}};
  framework().allocators.resize(2);
  framework().allocators[0].fields[AllocatorField::kAllocatedPeak] = 2 * kGiB;
  framework().allocators[1].fields[AllocatorField::kAllocatedPeak] = 3 * kGiB;
  framework().allocators[1].fields[AllocatorField::kReservedPeak] = 4 * kGiB;
  Add();
  const auto numbers = summary.numbers();
  EXPECT_EQ(numbers.steps, 4.0);
  ASSERT_TRUE(numbers.step_median);
  EXPECT_NEAR(*numbers.step_median, 0.5, 0.005);
  EXPECT_NEAR(*numbers.data_wait_share, 0.4 / 33, 1e-9);
  EXPECT_EQ(numbers.allocated, 3 * kGiB);
  EXPECT_EQ(numbers.reserved, 4 * kGiB);
  EXPECT_THAT(Text(), HasSubstr("4, median 499ms"));
}

TEST_F(Summary, TakesTheLastWordsOfAProcessThatEnded) {
  frame.processes.clear();
  framework().fields[FrameworkField::kSteps] = 7.0;
  Add();
  EXPECT_EQ(summary.numbers().steps, 7.0);
}

TEST_F(Summary, SaysWhatIsUnknownAndWhy) {
  Use(2 * kGiB);
  device().fields.Fill({Absence::kNotSupported});
  device().fields[DeviceField::kUtilization] = 0.25;
  device().fields[DeviceField::kMemoryUsed] = 3 * kGiB;
  Add();
  const std::string text = Text();
  EXPECT_THAT(text, HasSubstr("not known: no process of the job told of its framework"));
  EXPECT_THAT(text, HasSubstr("25%, idle 75% of the time; SM activity: not supported"));
  EXPECT_THAT(text,
              HasSubstr("process 2.0GiB, device 3.0GiB; allocated and reserved are not told"));
  EXPECT_THAT(text, HasSubstr("energy        not supported"));
  EXPECT_THAT(text, Not(HasSubstr(" 0B")));
  EXPECT_THAT(text, Not(HasSubstr(" 0%")));
}

TEST_F(Summary, SaysWhyThereIsNoCard) {
  frame.devices.clear();
  frame.driver.state = DriverState::kNoLibrary;
  Add();
  EXPECT_THAT(Text(), HasSubstr("libnvidia-ml.so.1) was not found"));
}

TEST_F(Summary, IsOneScreenInBothLanguages) {
  Closing closing;
  closing.name = "tr\x1b[1main";
  closing.exit.kind = EndKind::kSignal;
  closing.exit.signal = 11;
  closing.exit.core_dumped = true;
  closing.exit.seconds = 125;
  closing.exit.left_behind = 1;
  closing.file = "runs/a.gpusight";
  closing.file_bytes = 2048;
  closing.findings = 2;
  Use(kGiB);
  Add();
  const std::string english = Text(closing);
  EXPECT_THAT(english,
              HasSubstr("gpusight: tr?[1main took 2m05s, killed by SIGSEGV (core dumped)\n"));
  EXPECT_THAT(english, HasSubstr("recording     runs/a.gpusight (2.0KiB)\n"));
  EXPECT_THAT(english, HasSubstr("left behind   1 process of the job goes on"));
  EXPECT_THAT(english, HasSubstr("findings      2\n"));
  const std::string chinese = Text(closing, Language::kChinese);
  EXPECT_THAT(chinese, HasSubstr("用时 2m05s，被 SIGSEGV 终止（已生成 core 文件）"));
  EXPECT_EQ(std::count(english.begin(), english.end(), '\n'),
            std::count(chinese.begin(), chinese.end(), '\n'));
}

}  // namespace
}  // namespace gpusight::cli
