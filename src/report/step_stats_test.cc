// SPDX-License-Identifier: Apache-2.0
#include "report/step_stats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace gpusight::report {
namespace {

constexpr int64_t kBegin = 1'775'383'200'000'000'000;

WallTime At(double seconds) { return {kBegin + static_cast<int64_t>(seconds * 1e9)}; }

record::RecordedStep Step(uint64_t number, double end, double seconds, double data = 0) {
  return {{number, At(end), seconds, data}, 1, seconds, seconds};
}

TEST(Steps, PercentilesAgreeWithASortToTwoPerCent) {
  const Grid grid = GridOver({At(0), At(1000)});
  StepBuilder builder(grid);
  std::mt19937 random(7);
  std::lognormal_distribution<double> seconds(-2, 0.7);
  std::vector<double> all;
  for (uint64_t i = 1; i <= 20'000; ++i) {
    all.push_back(seconds(random));
    builder.Add(Step(i, static_cast<double>(i) * 0.05, all.back()));
  }
  std::sort(all.begin(), all.end());
  const StepReport report = builder.Take();
  EXPECT_NEAR(report.p50 / all[10'000], 1, 0.02);
  EXPECT_NEAR(report.p95 / all[19'000], 1, 0.02);
  EXPECT_NEAR(report.p99 / all[19'800], 1, 0.02);
  EXPECT_EQ(report.most, all.back());
  EXPECT_EQ(report.least, all.front());
}

TEST(Steps, TheHistogramHoldsEveryStep) {
  const Grid grid = GridOver({At(0), At(100)});
  StepBuilder builder(grid);
  for (uint64_t i = 1; i <= 500; ++i) {
    builder.Add(Step(i, 1, 0.1 + 0.001 * static_cast<double>(i % 70)));
  }
  builder.Add(Step(501, 2, 30));
  const StepReport report = builder.Take();
  uint64_t sum = 0;
  for (const StepBin& bin : report.histogram) sum += bin.steps;
  EXPECT_EQ(sum, 501U);
  EXPECT_LE(report.histogram.size(), 60U);
}

TEST(Steps, SlowOnesAreNamedTheSlowestFirst) {
  const Grid grid = GridOver({At(0), At(100)});
  StepBuilder builder(grid);
  for (uint64_t i = 1; i <= 200; ++i) builder.Add(Step(i, 1, i == 50 ? 3 : i == 90 ? 5 : 0.1));
  const StepReport report = builder.Take();
  ASSERT_EQ(report.outliers.size(), 2U);
  EXPECT_EQ(report.outliers[0].number, 90U);
  EXPECT_EQ(report.outlier_count, 2U);
}

TEST(Steps, MergedStepsCountAsManyAndSayTheirSpreadIsUnknown) {
  const Grid grid = GridOver({At(0), At(100)});
  StepBuilder builder(grid);
  builder.Add({{60, At(10), 0.2, 0.05}, 60, 0.1, 0.9});
  builder.Add(Step(61, 11, 0.2));
  const StepReport report = builder.Take();
  EXPECT_EQ(report.steps, 61U);
  EXPECT_EQ(report.merged, 60U);
  EXPECT_EQ(report.most, 0.9);
  EXPECT_NEAR(report.data_seconds, 3, 1e-9);
}

TEST(Steps, TheFirstStepHasNoLengthAndIsLeftOut) {
  const Grid grid = GridOver({At(0), At(100)});
  StepBuilder builder(grid);
  builder.Add(Step(1, 1, 0));
  EXPECT_EQ(builder.Take().steps, 0U);
}

TEST(Steps, WhatAHostileProgramSaysIsBounded) {
  const Grid grid = GridOver({At(0), At(100)});
  StepBuilder builder(grid);
  builder.Add(Step(1, 1, NAN));
  builder.Add(Step(2, 1, INFINITY));
  builder.Add(Step(3, 1, -4));
  builder.Add(Step(4, 1, 1e300, 1e301));
  builder.Add(Step(5, 1, 1, NAN));
  const StepReport report = builder.Take();
  EXPECT_EQ(report.steps, 2U);
  EXPECT_LE(report.data_share[grid.At(At(1))], 1);
}

TEST(Steps, ThePiecesHoldTheShareOfTimeThatWasWaitedForData) {
  const Grid grid = GridOver({At(0), At(100)});
  StepBuilder builder(grid);
  builder.Add(Step(1, 5.5, 0.4, 0.1));
  const StepReport report = builder.Take();
  EXPECT_NEAR(report.data_share[grid.At(At(5.5))], 0.25, 1e-9);
  EXPECT_TRUE(std::isnan(report.data_share[grid.At(At(50))]));
}

}  // namespace
}  // namespace gpusight::report
