// SPDX-License-Identifier: Apache-2.0
#include "report/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace gpusight::report {
namespace {

// Pieces whose mean is `mean`; each keeps `memory` of its neighbour's deviation.
std::vector<RatioPiece> Series(double mean, double memory, size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 0.1);
  std::vector<RatioPiece> pieces;
  double deviation = noise(random) / std::sqrt(1 - memory * memory);
  for (size_t i = 0; i < count; ++i) {
    pieces.push_back({mean + deviation, 1});
    deviation = memory * deviation + noise(random);
  }
  return pieces;
}

double Coverage(double memory, double difference) {
  int inside = 0;
  constexpr int kRuns = 200;
  for (uint32_t run = 0; run < kRuns; ++run) {
    const auto a = Series(1, memory, 400, 2 * run + 1);
    const auto b = Series(1 + difference, memory, 400, 2 * run + 2);
    const Difference found = Bootstrap(a, b, 300, run);
    inside += found.absolute.low <= difference && difference <= found.absolute.high ? 1 : 0;
  }
  return static_cast<double>(inside) / kRuns;
}

TEST(Bootstrap, TheIntervalHoldsTheTrueDifferenceAboutAsOftenAsItSays) {
  EXPECT_GE(Coverage(0, 0.05), 0.9);
  EXPECT_LE(Coverage(0, 0.05), 0.99);
}

TEST(Bootstrap, AlsoWherePiecesDependOnTheirNeighbours) { EXPECT_GE(Coverage(0.8, 0.1), 0.87); }

TEST(Bootstrap, BlocksGrowWithTheMemoryOfTheSeries) {
  EXPECT_LT(BlockLength(Series(1, 0, 400, 1)), 12U);
  EXPECT_GT(BlockLength(Series(1, 0.9, 400, 1)), 15U);
}

TEST(Bootstrap, ALargeDifferenceIsSeen) {
  const Difference found = Bootstrap(Series(1, 0.5, 300, 1), Series(1.5, 0.5, 300, 2));
  ASSERT_TRUE(found.known);
  EXPECT_GT(found.absolute.low, 0.3);
  EXPECT_NEAR(found.b - found.a, 0.5, 0.1);
  EXPECT_NEAR(found.relative.low, found.absolute.low / found.a, 0.1);
}

TEST(Bootstrap, ARunIsNoDifferentFromItself) {
  const auto run = Series(1, 0.5, 300, 1);
  const Difference found = Bootstrap(run, run);
  EXPECT_LE(found.absolute.low, 0);
  EXPECT_GE(found.absolute.high, 0);
}

TEST(Bootstrap, AShortRunHasNoInterval) {
  EXPECT_FALSE(Bootstrap(Series(1, 0, 9, 1), Series(1, 0, 300, 2)).known);
  EXPECT_FALSE(Bootstrap({}, {}).known);
}

TEST(Bootstrap, TheSameRunsGiveTheSameInterval) {
  const auto a = Series(1, 0.5, 100, 1), b = Series(1.1, 0.5, 100, 2);
  EXPECT_EQ(Bootstrap(a, b).absolute.low, Bootstrap(a, b).absolute.low);
}

TEST(Bootstrap, PiecesWeighAsMuchAsTheyHold) {
  EXPECT_NEAR(RatioOf({{10, 1}, {2, 4}}), 2.4, 1e-12);
}

}  // namespace
}  // namespace gpusight::report
