// SPDX-License-Identifier: Apache-2.0
#include "report/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "testing/training_run.h"

namespace gpusight::report {
namespace {

record::Summary SummaryOf(double seconds) {
  record::Summary summary;
  summary.facts.name = "train.py";
  summary.span = {{TrainingRun::kBegin + 1'000'000'000},
                  {TrainingRun::kBegin + static_cast<int64_t>(seconds * 1e9)}};
  summary.end.kind = "exit";
  summary.end.code = 0;
  return summary;
}

Report ReportOf(const TrainingRunOptions& options) {
  Builder builder(SummaryOf(options.seconds), static_cast<size_t>(options.devices));
  TrainingRun run(options);
  Frame frame;
  while (run.Next(frame)) {
    builder.Add(frame);
    for (const FrameworkSample& framework : frame.frameworks) {
      const ProcessKey key{framework.pid, framework.start_ticks};
      for (const StepSample& step : framework.steps) {
        builder.AddStep(key, {step, 1, step.seconds, step.seconds});
      }
      builder.AddMarks(key, framework.marks);
    }
  }
  return builder.Take();
}

const Report& Usual() {
  static const Report report = ReportOf({});
  return report;
}

TEST(Builder, EveryDeviceHasItsCurves) {
  ASSERT_EQ(Usual().devices.size(), 2U);
  const Curve* busy = Usual().devices[0].Find("utilization_ratio");
  ASSERT_NE(busy, nullptr);
  EXPECT_NEAR(busy->level->mean, 0.66, 0.03);
  EXPECT_EQ(busy->mean.size(), Usual().grid.count);
}

TEST(Builder, WhatADeviceDoesNotHaveKeepsItsReason) {
  const Curve* fan = Usual().devices[0].Find("fan_ratio");
  ASSERT_NE(fan, nullptr);
  ASSERT_FALSE(fan->level.known());
  EXPECT_EQ(fan->level.missing().why, Absence::kNotSupported);
}

TEST(Builder, EnergyIsThatOfTheDriversCounter) {
  const DeviceReport& device = Usual().devices[0];
  EXPECT_TRUE(device.energy_counted);
  const double mean = device.Find("power_watts")->level->mean;
  EXPECT_NEAR(*device.energy / (mean * 299), 1, 0.01);
}

TEST(Builder, WithoutACounterEnergyIsPowerOverTime) {
  Builder builder(SummaryOf(100), 1);
  Frame frame;
  TrainingRun run({.devices = 1, .seconds = 100});
  while (run.Next(frame)) {
    frame.devices[0].fields[DeviceField::kEnergy] = Absence::kNotSupported;
    builder.Add(frame);
  }
  const Report report = builder.Take();
  EXPECT_FALSE(report.devices[0].energy_counted);
  EXPECT_NEAR(*report.devices[0].energy, report.devices[0].Find("power_watts")->level->mean * 100,
              1);
}

TEST(Builder, ACounterThatStandsStillIsNotBelieved) {
  Builder builder(SummaryOf(100), 1);
  Frame frame;
  TrainingRun run({.devices = 1, .seconds = 100});
  while (run.Next(frame)) {
    frame.devices[0].fields[DeviceField::kEnergy] = 5.0;
    builder.Add(frame);
  }
  EXPECT_GT(*builder.Take().devices[0].energy, 1000);
}

TEST(Builder, TheMemoryOfEveryPieceAddsUpToItsTotal) {
  for (const DeviceReport& device : Usual().devices) {
    const MemoryReport& memory = device.memory;
    ASSERT_FALSE(memory.layers.empty());
    size_t checked = 0;
    for (size_t i = 0; i < memory.total.size(); ++i) {
      if (std::isnan(memory.total[i])) continue;
      double sum = 0;
      for (const Layer& layer : memory.layers) sum += layer.bytes[i];
      EXPECT_EQ(sum, memory.total[i]);
      ++checked;
    }
    EXPECT_GE(checked, 299U);
  }
}

TEST(Builder, ProcessesStandInTheOrderOfTheirMemory) {
  const auto& processes = Usual().processes;
  ASSERT_EQ(processes.size(), 3U);
  EXPECT_EQ(processes.back().identity.pid, 9000);
  EXPECT_EQ(processes[0].framework.framework, Framework::kPyTorch);
  EXPECT_TRUE(processes[0].steps.has_value());
  EXPECT_FALSE(processes.back().steps.has_value());
  EXPECT_THAT(processes[0].devices, testing::SizeIs(1));
}

TEST(Builder, LayersIdleTimeAndPhasesStillPointAtTheirProcess) {
  const Report& report = Usual();
  for (const Layer& layer : report.devices[0].memory.layers) {
    if (layer.kind != LayerKind::kProcess) continue;
    EXPECT_EQ(report.processes[static_cast<size_t>(layer.process)].identity.pid, 9000);
  }
  for (const IdleEntry& entry : report.idle) {
    EXPECT_EQ(report.processes[static_cast<size_t>(entry.process)].identity.pid,
              4100 + entry.device);
  }
}

TEST(Builder, IdleTimeIsThatOfWaitingForData) {
  ASSERT_EQ(Usual().idle.size(), 2U);
  const IdleReport& idle = Usual().idle[0].report;
  EXPECT_EQ(idle.why, IdleReport::Why::kKnown);
  const auto places = Places(idle);
  ASSERT_FALSE(places.empty());
  EXPECT_EQ(places[0].place, "data.py:88 load");
}

TEST(Builder, PhasesLastUntilTheNextOne) {
  ASSERT_GE(Usual().phases.size(), 4U);
  EXPECT_EQ(Usual().phases[0].name, "train");
}

TEST(Builder, ThePhasesOfAProcessFollowEachOther) {
  Builder builder(SummaryOf(100), 0);
  builder.AddMarks({1, 1}, {{MarkType::kPhase, {TrainingRun::kBegin + 50'000'000'000}, 0, "eval"},
                            {MarkType::kPhase, {TrainingRun::kBegin + 10'000'000'000}, 0, "train"},
                            {MarkType::kPhase, {TrainingRun::kBegin + 70'000'000'000}, 0, ""}});
  const Report report = builder.Take();
  ASSERT_EQ(report.phases.size(), 2U);
  EXPECT_EQ(report.phases[0].name, "train");
  EXPECT_EQ(report.phases[0].end, report.phases[1].begin);
  EXPECT_EQ(report.phases[1].end.ns, TrainingRun::kBegin + 70'000'000'000);
}

TEST(Builder, WhatTheProgramMeasuresIsACurveAndNoMark) {
  Builder builder(SummaryOf(100), 0);
  const WallTime at{TrainingRun::kBegin + 50'000'000'000};
  builder.AddMarks({1, 1}, {{MarkType::kMetric, at, 2.5, "loss"},
                            {MarkType::kMetric, {at.ns + 20'000'000'000}, 1.5, "loss"},
                            {MarkType::kNote, at, 0, "hello"}});
  const Report report = builder.Take();
  ASSERT_EQ(report.metrics.size(), 1U);
  EXPECT_EQ(report.metrics[0].name, "loss");
  EXPECT_EQ(report.metrics[0].curve.mean[report.grid.At(at)], 2.5);
  EXPECT_EQ(report.marks.size(), 1U);
}

TEST(Builder, ThousandsOfMetricsAreCut) {
  Builder builder(SummaryOf(100), 0);
  for (int i = 0; i < 1000; ++i) {
    builder.AddMarks({1, 1}, {{MarkType::kMetric, {TrainingRun::kBegin}, 1, std::to_string(i)}});
  }
  const Report report = builder.Take();
  EXPECT_LE(report.metrics.size(), 8U);
  EXPECT_GT(report.left_out, 900U);
}

TEST(Builder, TheDriversSamplesAreKeptAndTheOldestGoFirst) {
  const Grid grid = GridOver(SummaryOf(1000).span);
  DeviceTracks tracks(grid, 1000);
  DeviceSample device;
  TrainingRun run({.devices = 1, .seconds = 1000});
  Frame frame;
  while (run.Next(frame)) tracks.Add({frame.time, 1}, frame.devices[0]);
  const Detail detail = tracks.Take().detail;
  EXPECT_TRUE(detail.cut);
  size_t samples = 0;
  for (const auto& stretch : detail.stretches) samples += stretch.percent.size();
  EXPECT_LE(samples, 1000U);
  EXPECT_GE(samples, 500U);
  const auto& last = detail.stretches.back();
  EXPECT_NEAR(static_cast<double>(last.begin.ns - TrainingRun::kBegin) * 1e-9 +
                  static_cast<double>(last.percent.size()) * Detail::kStep,
              1000, 1);
}

TEST(Builder, ThousandsOfProcessesDoNotMakeItGrowWithoutBound) {
  Builder builder(SummaryOf(100), 1);
  Frame frame;
  TrainingRun run({.devices = 1, .seconds = 100});
  int pid = 10'000;
  while (run.Next(frame)) {
    for (int i = 0; i < 100; ++i) {
      ProcessSample& process = AddProcess(frame);
      process.pid = pid++;
    }
    builder.Add(frame);
  }
  const Report report = builder.Take();
  EXPECT_LE(report.processes.size(), 200U);
  EXPECT_TRUE(report.processes_cut);
}

TEST(Builder, ARunWithoutAnythingIsAReport) {
  Builder builder(record::Summary{}, 0);
  const Report report = builder.Take();
  EXPECT_TRUE(report.devices.empty());
  EXPECT_FALSE(EnergyOf(report).known());
  EXPECT_FALSE(MeanOf(report, "utilization_ratio").known());
}

}  // namespace
}  // namespace gpusight::report
