// SPDX-License-Identifier: Apache-2.0
#include "tui/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpusight::tui {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(Series, AValueFillsTheColumnsThatItsSpanCovers) {
  Series series;
  series.Add(4 * kSecond, 2 * kSecond, 0.5);
  const auto columns = series.Columns(4 * kSecond, kSecond, 4, 0);
  EXPECT_FALSE(columns[0].known());
  EXPECT_FALSE(columns[1].known());
  EXPECT_FLOAT_EQ(columns[2].mean, 0.5f);
  EXPECT_FLOAT_EQ(columns[3].max, 0.5f);
}

TEST(Series, AColumnHasTheMeanByTimeAndTheMaximumOfItsPoints) {
  Series series;
  series.Add(kSecond * 3 / 4, kSecond * 3 / 4, 0.0);
  series.Add(kSecond, kSecond / 4, 1.0);
  const auto columns = series.Columns(kSecond, kSecond, 1, 0);
  EXPECT_FLOAT_EQ(columns[0].mean, 0.25f);
  EXPECT_FLOAT_EQ(columns[0].max, 1.0f);
}

TEST(Series, PointsWithinATenthOfASecondAreMergedAndKeepTheirPeak) {
  Series series;
  for (int i = 1; i <= 5; ++i) series.Add(i * 20'000'000, 20'000'000, i == 3 ? 700 : 100);
  EXPECT_EQ(series.size(), 1u);
  const auto columns = series.Columns(100'000'000, 100'000'000, 1, 0);
  EXPECT_FLOAT_EQ(columns[0].mean, 220.f);
  EXPECT_FLOAT_EQ(columns[0].max, 700.f);
}

TEST(Series, OldPointsThatComeAgainAreIgnored) {
  Series series;
  series.Add(2 * kSecond, kSecond, 1);
  series.Add(2 * kSecond, kSecond, 7);
  series.Add(1 * kSecond, kSecond, 7);
  EXPECT_EQ(series.size(), 1u);
}

TEST(Series, ASpanThatReachesBackOverThePointBeforeIsShortened) {
  Series series;
  series.Add(2 * kSecond, kSecond, 0.2);
  series.Add(3 * kSecond, 3 * kSecond, 0.8);
  const auto columns = series.Columns(3 * kSecond, kSecond, 2, 0);
  EXPECT_FLOAT_EQ(columns[0].mean, 0.2f);
  EXPECT_FLOAT_EQ(columns[1].mean, 0.8f);
}

TEST(Series, SilenceIsAGapNotZero) {
  Series series;
  series.Add(1 * kSecond, kSecond, 1);
  series.Add(5 * kSecond, kSecond, 1);
  const auto columns = series.Columns(5 * kSecond, kSecond, 5, 0);
  EXPECT_TRUE(columns[0].known());
  EXPECT_FALSE(columns[2].known());
  EXPECT_TRUE(columns[4].known());
}

TEST(Series, TheNewestPointIsHeldForAWhile) {
  Series series;
  series.Add(1 * kSecond, kSecond, 1);
  EXPECT_TRUE(series.Columns(2 * kSecond, kSecond, 1, kSecond)[0].known());
  EXPECT_FALSE(series.Columns(3 * kSecond, kSecond, 1, kSecond)[0].known());
}

TEST(Series, ColumnsDoNotMoveBeforeTheirBorder) {
  Series series;
  series.Add(10 * kSecond, kSecond, 1);
  const auto a = series.Columns(10 * kSecond, kSecond, 3, 0);
  const auto b = series.Columns(10 * kSecond + kSecond / 2, kSecond, 3, 0);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].known(), b[i].known()) << i;
}

TEST(Series, MemoryIsBounded) {
  Series series;
  for (int64_t i = 1; i <= 10'000; ++i) series.Add(i * kSecond, kSecond, static_cast<double>(i));
  EXPECT_EQ(series.size(), Series::kCapacity);
  EXPECT_FLOAT_EQ(series.Columns(10'000 * kSecond, kSecond, 1, 0)[0].mean, 10'000.f);
  const auto all = series.Columns(10'000 * kSecond, kSecond, 5000, 0);
  EXPECT_FALSE(all[5000 - Series::kCapacity - 1].known());
  EXPECT_TRUE(all[5000 - Series::kCapacity].known());
}

}  // namespace
}  // namespace gpusight::tui
