// SPDX-License-Identifier: Apache-2.0
#include "report/curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gpusight::report {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kBegin = 1'775'383'200 * kSecond;

WallTime At(double seconds) { return {kBegin + static_cast<int64_t>(seconds * 1e9)}; }
record::Span Seconds(double seconds) { return {At(0), At(seconds)}; }

TEST(Grid, ADayHasFewerPiecesThanAChartIsWideAndTheyAreRound) {
  const Grid grid = GridOver(Seconds(86400));
  EXPECT_EQ(grid.step, 60);
  EXPECT_LE(grid.count, kMostPieces);
  EXPECT_EQ(grid.At(At(86400)), grid.count - 1);
}

TEST(Grid, AnEmptyOrReversedSpanHasAPiece) {
  EXPECT_GE(GridOver(Seconds(0)).count, 1U);
  EXPECT_GE(GridOver({At(100), At(0)}).count, 1U);
}

TEST(Grid, AClockThatJumpedDecadesDoesNotMakeMorePieces) {
  EXPECT_LE(GridOver({{0}, At(0)}).count, kMostPieces);
}

TEST(Grid, TimesThatNoClockShowsDoNoHarm) {
  const Grid grid = GridOver({{INT64_MIN}, {INT64_MAX}});
  EXPECT_LE(grid.count, kMostPieces);
  EXPECT_EQ(grid.At({INT64_MIN}), 0U);
  EXPECT_EQ(grid.At({INT64_MAX}), grid.count - 1);
}

TEST(Grid, ATimeOutsideFallsIntoTheNearestPiece) {
  const Grid grid = GridOver(Seconds(10));
  EXPECT_EQ(grid.At({0}), 0U);
  EXPECT_EQ(grid.At(At(1e6)), grid.count - 1);
}

TEST(Curve, KeepsThePeakOfEachPiece) {
  const Grid grid = GridOver(Seconds(4000));  // pieces of 5 s
  CurveBuilder builder(grid);
  for (int i = 1; i <= 4000; ++i) builder.Add({At(i), 1}, i == 1234 ? 9.0 : 1.0);
  const Curve curve = builder.Take();
  EXPECT_EQ(curve.most[grid.At(At(1234))], 9);
  EXPECT_EQ(curve.least[grid.At(At(1234))], 1);
  EXPECT_NEAR(curve.level->mean, (3999 + 9) / 4000.0, 1e-9);
  EXPECT_EQ(curve.level->most_at, At(1234));
}

TEST(Curve, AFrameOfAMinuteFillsTheSecondsItSpeaksFor) {
  const Grid grid = GridOver(Seconds(120));
  CurveBuilder builder(grid);
  builder.Add({At(60), 60}, 0.5);
  const Curve curve = builder.Take();
  EXPECT_EQ(curve.mean[grid.At(At(5))], 0.5);
  EXPECT_EQ(curve.mean[grid.At(At(59))], 0.5);
  EXPECT_TRUE(std::isnan(curve.mean[grid.At(At(90))]));
}

TEST(Curve, FramesThatJitterLeaveNoHoles) {
  const Grid grid = GridOver(Seconds(100));
  CurveBuilder builder(grid);
  for (int i = 1; i <= 100; ++i) builder.Add({At(i + (i % 2 == 0 ? 0.02 : -0.02)), 1}, 1.0);
  const Curve curve = builder.Take();
  for (size_t i = grid.At(At(0)); i <= grid.At(At(99.9)); ++i) EXPECT_EQ(curve.mean[i], 1) << i;
}

TEST(Curve, ExtremesOfMergedFramesWidenTheirPiece) {
  const Grid grid = GridOver(Seconds(120));
  CurveBuilder builder(grid);
  builder.Add({At(60), 60}, 0.5);
  builder.Widen({At(60), 60}, 0.1, 0.9);
  const Curve curve = builder.Take();
  EXPECT_EQ(curve.most[grid.At(At(59.5))], 0.9);
  EXPECT_EQ(curve.most[grid.At(At(3))], 0.9);
  EXPECT_TRUE(std::isnan(curve.most[grid.At(At(100))]));
  EXPECT_EQ(curve.level->most, 0.9);
  EXPECT_EQ(curve.mean[grid.At(At(59.5))], 0.5);
}

TEST(Curve, ALongSilenceIsAHole) {
  const Grid grid = GridOver(Seconds(1800));
  CurveBuilder builder(grid);
  builder.Add({At(1), 1}, 1.0);
  builder.Add({At(1800), 1799}, 1.0);
  EXPECT_TRUE(std::isnan(builder.Take().mean[grid.At(At(900))]));
}

TEST(Curve, SaysWhyItWasNeverKnown) {
  const Grid grid = GridOver(Seconds(10));
  CurveBuilder builder(grid);
  builder.Add({At(1), 1}, Absence::kNotSupported);
  const Curve curve = builder.Take();
  ASSERT_FALSE(curve.level.known());
  EXPECT_EQ(curve.level.missing().why, Absence::kNotSupported);
  EXPECT_TRUE(curve.mean.empty());
}

TEST(Curve, CountsWhatWasMissingMeanwhile) {
  const Grid grid = GridOver(Seconds(10));
  CurveBuilder builder(grid);
  builder.Add({At(1), 1}, 5.0);
  builder.Add({At(2), 1}, Absence::kLost);
  const Curve curve = builder.Take();
  EXPECT_TRUE(curve.level.known());
  EXPECT_EQ(curve.missing_seconds, 1);
  EXPECT_EQ(curve.missing.why, Absence::kLost);
}

TEST(Growth, ACounterThatBeganAnewCountsFromZero) {
  Growth growth;
  EXPECT_FALSE(growth.Since(100.0).known());
  EXPECT_EQ(growth.Since(130.0), Known<double>(30.0));
  EXPECT_EQ(growth.Since(7.0), Known<double>(7.0));
  EXPECT_EQ(growth.total(), 37);
}

}  // namespace
}  // namespace gpusight::report
