// SPDX-License-Identifier: Apache-2.0
// The bytes are looked at for names only: what TensorBoard reads, tests/judges/tensorboard_test.py
// compares value by value.
#include "export/tensorboard_runs.h"

#include <gmock/gmock.h>

#include "testing/test_frame.h"

namespace gpusight::exporting {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr WallTime kBegin{1'700'000'000'000'000'000};

std::vector<std::string> Names(const TensorBoardRuns& runs) {
  std::vector<std::string> names;
  for (const auto& run : runs.runs()) names.push_back(run.name);
  return names;
}

const std::string& Waiting(const TensorBoardRuns& runs, const std::string& name) {
  static const std::string kNone;
  for (const auto& run : runs.runs()) {
    if (run.name == name) return run.waiting;
  }
  return kNone;
}

Frame OfRank(int rank, double steps) {
  Frame frame;
  frame.time = kBegin;
  FrameworkSample& framework = frame.frameworks.emplace_back();
  framework.pid = 100 + rank;
  framework.rank = rank;
  framework.fields[FrameworkField::kSteps] = steps;
  framework.fields[FrameworkField::kStepTime] = 0.25;
  return frame;
}

TEST(TensorBoardRuns, EachDeviceIsARunAndChartsAreNamedAlike) {
  Frame frame = TestFrame();
  frame.devices[0].fields[DeviceField::kUtilization] = 0.5;
  frame.devices[0].fields[DeviceField::kSmActivity] = Absence::kNotSupported;
  frame.devices[1].fields[DeviceField::kUtilization] = 0.25;
  TensorBoardRuns runs(frame.time, Language::kEnglish);
  runs.Add(frame);
  for (const char* run : {"gpu0", "gpu1"}) {
    EXPECT_THAT(Waiting(runs, run), HasSubstr("gpu/utilization_ratio")) << run;
  }
  EXPECT_THAT(Waiting(runs, "gpu0"), Not(HasSubstr("gpu/sm_activity_ratio")));
}

TEST(TensorBoardRuns, AMigInstanceIsAFolderOfItsOwn) {
  Frame frame;
  frame.devices.resize(2);
  frame.devices[0].info.uuid = "GPU-1";
  frame.devices[1].info.uuid = "MIG-1";
  frame.devices[1].info.parent_uuid = "GPU-1";
  frame.devices[1].info.gpu_instance = 7;
  frame.devices[1].info.compute_instance = 0;
  for (auto& device : frame.devices) device.fields[DeviceField::kUtilization] = 0.5;
  TensorBoardRuns runs(frame.time, Language::kEnglish);
  runs.Add(frame);
  EXPECT_THAT(Names(runs), ElementsAre("gpu0", "gpu0-7-0"));
}

TEST(TensorBoardRuns, ARankThatWasStartedAnewIsAnotherRun) {
  TensorBoardRuns runs(kBegin, Language::kEnglish);
  runs.Add(OfRank(3, 10));
  Frame again = OfRank(3, 1);
  again.frameworks[0].pid = 900;
  runs.Add(again);
  EXPECT_THAT(Names(runs), ElementsAre("rank3", "rank3-pid900"));
}

TEST(TensorBoardRuns, AFurtherDeviceOfAProcessIsARunBesideIt) {
  Frame frame = OfRank(0, 1);
  for (const int ordinal : {0, 1}) {
    AllocatorSample& allocator = frame.frameworks[0].allocators.emplace_back();
    allocator.ordinal = ordinal;
    allocator.fields[AllocatorField::kReserved] = 1024;
  }
  TensorBoardRuns runs(kBegin, Language::kEnglish);
  runs.Add(frame);
  EXPECT_THAT(Names(runs), ElementsAre("rank0", "rank0-device1"));
}

TEST(TensorBoardRuns, NeighboursOnTheDeviceAreNoRuns) {
  Frame frame;
  frame.devices.emplace_back().info.uuid = "GPU-1";
  for (const bool in_job : {false, true}) {
    ProcessSample& process = frame.processes.emplace_back();
    process.pid = in_job ? 7 : 8;
    process.in_job = in_job;
    GpuUse& use = process.uses.emplace_back();
    use.fields[UseField::kMemory] = 1024;
  }
  TensorBoardRuns runs(kBegin, Language::kEnglish);
  runs.Add(frame);
  EXPECT_THAT(Names(runs), ElementsAre("pid7"));
}

TEST(TensorBoardRuns, StepsAreAPointOnlyWhereOneHasEnded) {
  TensorBoardRuns runs(kBegin, Language::kEnglish);
  runs.Add(OfRank(0, 0));
  EXPECT_THAT(Waiting(runs, "rank0"), Not(HasSubstr("step/step_seconds")));
  runs.Add(OfRank(0, 5));
  EXPECT_THAT(Waiting(runs, "rank0"), HasSubstr("step/step_seconds"));
  EXPECT_EQ(runs.Take().size(), 1u);
  runs.Add(OfRank(0, 5));
  EXPECT_THAT(Waiting(runs, "rank0"), Not(HasSubstr("step/step_seconds")));
}

TEST(TensorBoardRuns, WhatAProgramMeasuresHasAChartAndItsNotesAreText) {
  Frame frame = OfRank(0, 5);
  frame.frameworks[0].marks = {{MarkType::kMetric, kBegin, 1.5, "loss"},
                               {MarkType::kNote, kBegin, 0, "<b>hello"}};
  TensorBoardRuns runs(kBegin, Language::kEnglish);
  runs.Add(frame);
  EXPECT_THAT(Waiting(runs, "rank0"), HasSubstr("metric/loss"));
  EXPECT_THAT(Waiting(runs, "job"), HasSubstr("| 0.0 | note | rank0 | &lt;b&gt;hello |"));
}

TEST(TensorBoardRuns, AProgramThatInventsNamesDoesNotFillThePage) {
  Frame frame = OfRank(0, 5);
  for (int i = 0; i < 600; ++i) {
    frame.frameworks[0].marks.push_back({MarkType::kMetric, kBegin, 1, "m" + std::to_string(i)});
  }
  TensorBoardRuns runs(kBegin, Language::kEnglish);
  runs.Add(frame);
  EXPECT_THAT(Waiting(runs, "rank0"), HasSubstr("metric/m499"));
  EXPECT_THAT(Waiting(runs, "rank0"), Not(HasSubstr("metric/m500")));
}

TEST(TensorBoardRuns, AJobOfThousandsOfProcessesHasABoundedNumberOfRuns) {
  TensorBoardRuns runs(kBegin, Language::kEnglish);
  for (int i = 0; i < 1000; ++i) runs.Add(OfRank(i, 1));
  EXPECT_EQ(runs.runs().size(), 256u);
}

}  // namespace
}  // namespace gpusight::exporting
