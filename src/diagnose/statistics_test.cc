// SPDX-License-Identifier: Apache-2.0
// Each statistic is compared with its slow, plain twin on random input, with holes in it.
#include "diagnose/statistics.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gpusight::diagnose {
namespace {

constexpr double kHole = std::numeric_limits<double>::quiet_NaN();

// Small whole numbers, so that ties are frequent, and some holes.
std::vector<double> Values(const std::vector<int8_t>& raw) {
  std::vector<double> values;
  for (const int8_t v : raw) values.push_back(v == 7 ? kHole : v / 4);
  return values;
}

std::vector<double> Finite(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  return values;
}

bool Near(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(a) + std::abs(b)); }

// Plain: all slopes, sorted.
std::optional<double> PlainSlope(const std::vector<Sample>& samples) {
  std::vector<double> slopes;
  for (const Sample& a : samples) {
    for (const Sample& b : samples) {
      if (std::isfinite(a.y) && std::isfinite(b.y) && b.x > a.x) {
        slopes.push_back((b.y - a.y) / (b.x - a.x));
      }
    }
  }
  if (slopes.empty()) return std::nullopt;
  std::sort(slopes.begin(), slopes.end());
  return slopes[(slopes.size() - 1) / 2];
}

// Plain: all pairs, and ties counted value by value.
double PlainTrend(const std::vector<double>& all) {
  const std::vector<double> values = Finite(all);
  const auto n = static_cast<double>(values.size());
  if (values.size() < 3) return 0;
  double s = 0, ties = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    bool first = true;
    double same = 0;
    for (size_t j = 0; j < values.size(); ++j) {
      if (j > i) s += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
      if (values[j] == values[i]) ++same;
      if (j < i && values[j] == values[i]) first = false;
    }
    if (first) ties += same * (same - 1) * (2 * same + 5);
  }
  const double variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
  if (variance <= 0 || s == 0) return 0;
  return (s > 0 ? s - 1 : s + 1) / std::sqrt(variance);
}

double Spread(const std::vector<double>& values, size_t begin, size_t end) {
  double mean = 0, sum = 0;
  for (size_t i = begin; i < end; ++i) mean += values[i] / static_cast<double>(end - begin);
  for (size_t i = begin; i < end; ++i) sum += (values[i] - mean) * (values[i] - mean);
  return sum;
}

// Plain: the squares on both sides of every place.
std::optional<double> PlainChange(const std::vector<double>& all, size_t least) {
  const std::vector<double> values = Finite(all);
  if (values.size() < 2 * least || Spread(values, 0, values.size()) < 1e-12) return std::nullopt;
  double best = std::numeric_limits<double>::infinity();
  for (size_t at = least; at + least <= values.size(); ++at) {
    best = std::min(best, Spread(values, 0, at) + Spread(values, at, values.size()));
  }
  return 1 - best / Spread(values, 0, values.size());
}

TEST(Statistics, TheilSenIsTheMedianOfAllSlopes) {
  EXPECT_TRUE(rc::check([](const std::vector<int8_t>& raw) {
    std::vector<Sample> samples;
    double x = 0;
    for (const double y : Values(raw)) samples.push_back({x += 1, y});
    if (samples.size() > 150) samples.resize(150);
    const auto fast = TheilSen(samples), plain = PlainSlope(samples);
    RC_ASSERT(fast.has_value() == plain.has_value());
    if (fast) RC_ASSERT(Near(*fast, *plain));
  }));
}

TEST(Statistics, MannKendallCountsRisingPairs) {
  EXPECT_TRUE(rc::check([](const std::vector<int8_t>& raw) {
    const std::vector<double> values = Values(raw);
    RC_ASSERT(Near(MannKendall(values), PlainTrend(values)));
  }));
}

TEST(Statistics, TheChangeIsWhereTwoLevelsFitBest) {
  EXPECT_TRUE(rc::check([](const std::vector<int8_t>& raw) {
    const std::vector<double> values = Values(raw);
    const auto fast = FindChange(values, 3);
    const auto plain = PlainChange(values, 3);
    RC_ASSERT(fast.has_value() == plain.has_value());
    if (fast) RC_ASSERT(std::abs(fast->explained - *plain) < 1e-6);
  }));
}

TEST(Statistics, AnOutlierMovesNeitherMedianNorSlope) {
  std::vector<Sample> samples;
  for (int i = 0; i < 50; ++i) samples.push_back({i * 1.0, 3.0 * i});
  samples[20].y = 1e9;
  EXPECT_NEAR(*TheilSen(samples), 3, 1e-9);
  EXPECT_EQ(Median({1, 1e9, 2}), 2);
  EXPECT_EQ(Quantile({1, 2, 3, 4}, 0.75), 3);
}

TEST(Statistics, OfNothingNothingIsSaid) {
  EXPECT_EQ(Median({kHole}), std::nullopt);
  EXPECT_EQ(TheilSen({}), std::nullopt);
  EXPECT_EQ(MannKendall({}), 0);
  EXPECT_EQ(FindChange({}, 1), std::nullopt);
}

TEST(Statistics, ManySamplesArePickedEvenly) {
  std::vector<Sample> samples;
  for (int i = 0; i < 5000; ++i) samples.push_back({i * 1.0, 2.0 * i});
  EXPECT_NEAR(*TheilSen(samples), 2, 1e-9);
}

}  // namespace
}  // namespace gpusight::diagnose
