// SPDX-License-Identifier: Apache-2.0
#include "cli/demo.h"

#include <gtest/gtest.h>

namespace gpusight::cli {
namespace {

constexpr double kMoment = 1'775'383'200;  // of the recording: 2026-04-05 10:00:00 UTC
const WallTime kNow{1'800'000'000'000'000'000};

Root Demo() { return Root(std::string(GPUSIGHT_TESTDATA) + "/machines/h200-two-jobs/root"); }

Frame OneHourOld() {
  Frame frame;
  ProcessSample process;
  process.pid = 41822;
  process.start_time = kMoment - 3600;
  process.fields[ProcessField::kCpuUser] = 5000.0;
  process.fields[ProcessField::kCpuSystem] = 400.0;
  process.fields[ProcessField::kCpu] = 0.0;
  frame.processes.push_back(process);
  return frame;
}

TEST(DemoLife, LetsAProcessBeAsOldNowAsItWasInTheRecording) {
  Frame frame = OneHourOld();
  DemoLife(Demo(), kNow)(frame);
  EXPECT_NEAR(kNow.seconds() - *frame.processes[0].start_time, 3600, 1);
}

TEST(DemoLife, LetsAProcessUseTheCpuAsItDidOnAverage) {
  Frame frame = OneHourOld();
  DemoLife(Demo(), kNow)(frame);
  EXPECT_NEAR(*frame.processes[0].fields[ProcessField::kCpu], 1.5, 0.01);
}

TEST(DemoLife, LeavesUnknownWhatIsUnknown) {
  Frame frame = OneHourOld();
  frame.processes[0].fields[ProcessField::kCpu] = Absence::kNotSampledYet;
  DemoLife(Demo(), kNow)(frame);
  EXPECT_FALSE(frame.processes[0].fields[ProcessField::kCpu].known());
}

TEST(DemoLife, ChangesNothingWithoutTheRecordedMoment) {
  Frame frame = OneHourOld();
  DemoLife(Root("/nowhere"), kNow)(frame);
  EXPECT_EQ(*frame.processes[0].start_time, kMoment - 3600);
}

}  // namespace
}  // namespace gpusight::cli
