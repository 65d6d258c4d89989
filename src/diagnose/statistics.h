// SPDX-License-Identifier: Apache-2.0
// Statistics that hold where a mean would not: medians, the slope of Theil and Sen, the trend test
// of Mann and Kendall, a change of level. All leave out what is not a number. Each has a slow,
// plain twin in statistics_test.cc that it is compared with. Pure. Next: window.h.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gpusight::diagnose {

struct Sample {
  double x = 0, y = 0;
};

// The middle value, the lower one of two; nullopt of nothing.
[[nodiscard]] std::optional<double> Median(std::vector<double> values);
// The value at or below which that share lies (nearest rank).
[[nodiscard]] std::optional<double> Quantile(std::vector<double> values, double share);

// The median of the slopes between all pairs; of more than a few hundred samples, of as many that
// are evenly picked. nullopt when no two differ in x.
[[nodiscard]] std::optional<double> TheilSen(std::span<const Sample> samples);

// Mann and Kendall: how many standard deviations the number of rising pairs lies above chance, with
// ties counted. In n log n. 0 for fewer than three samples or when all are the same.
[[nodiscard]] double MannKendall(std::span<const double> values);

// The place that splits the values into two levels such that they differ least from them.
struct Change {
  size_t at = 0;  // first of the second level
  double before = 0, after = 0;
  double explained = 0;  // share of the variance that the two levels explain, 0-1
};
// nullopt where all are the same, or fewer than `least` would lie on a side.
[[nodiscard]] std::optional<Change> FindChange(std::span<const double> values, size_t least);

}  // namespace gpusight::diagnose
