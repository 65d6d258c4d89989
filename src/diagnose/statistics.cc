// SPDX-License-Identifier: Apache-2.0
#include "diagnose/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gpusight::diagnose {
namespace {

constexpr size_t kMostPicked = 200;  // pairs are compared

// Pairs i < j with values[i] > values[j], while sorting.
int64_t CountFalls(std::vector<double>& values, std::vector<double>& room, size_t begin,
                   size_t end) {
  if (end - begin < 2) return 0;
  const size_t middle = begin + (end - begin) / 2;
  int64_t falls = CountFalls(values, room, begin, middle) + CountFalls(values, room, middle, end);
  size_t i = begin, j = middle, k = begin;
  while (i < middle || j < end) {
    if (j == end || (i < middle && values[i] <= values[j])) {
      room[k++] = values[i++];
    } else {
      falls += static_cast<int64_t>(middle - i);
      room[k++] = values[j++];
    }
  }
  std::copy(room.begin() + static_cast<ptrdiff_t>(begin),
            room.begin() + static_cast<ptrdiff_t>(end),
            values.begin() + static_cast<ptrdiff_t>(begin));
  return falls;
}

}  // namespace

std::optional<double> Quantile(std::vector<double> values, double share) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return std::nullopt;
  const double rank = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(values.size()));
  const auto at = values.begin() + static_cast<ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

std::optional<double> Median(std::vector<double> values) {
  return Quantile(std::move(values), 0.5);
}

std::optional<double> TheilSen(std::span<const Sample> samples) {
  std::vector<Sample> picked;
  for (const Sample& sample : samples) {
    if (std::isfinite(sample.x) && std::isfinite(sample.y)) picked.push_back(sample);
  }
  if (picked.size() > kMostPicked) {
    std::vector<Sample> some;
    for (size_t k = 0; k < kMostPicked; ++k) {
      some.push_back(picked[k * (picked.size() - 1) / (kMostPicked - 1)]);
    }
    picked = std::move(some);
  }
  std::vector<double> slopes;
  slopes.reserve(picked.size() * picked.size() / 2);
  for (size_t i = 0; i < picked.size(); ++i) {
    for (size_t j = i + 1; j < picked.size(); ++j) {
      const double dx = picked[j].x - picked[i].x;
      if (dx != 0) slopes.push_back((picked[j].y - picked[i].y) / dx);
    }
  }
  return Median(std::move(slopes));
}

double MannKendall(std::span<const double> values) {
  std::vector<double> finite;
  for (const double value : values) {
    if (std::isfinite(value)) finite.push_back(value);
  }
  const auto n = static_cast<int64_t>(finite.size());
  if (n < 3) return 0;
  std::vector<double> room(finite.size());
  const int64_t falls = CountFalls(finite, room, 0, finite.size());
  // Sorted now: equal ones lie together.
  int64_t tied_pairs = 0;
  double ties = 0;
  for (size_t i = 0; i < finite.size();) {
    size_t j = i;
    while (j < finite.size() && finite[j] == finite[i]) ++j;
    const auto t = static_cast<double>(j - i);
    tied_pairs += static_cast<int64_t>((j - i) * (j - i - 1) / 2);
    ties += t * (t - 1) * (2 * t + 5);
    i = j;
  }
  const auto s = static_cast<double>(n * (n - 1) / 2 - tied_pairs - 2 * falls);
  const auto count = static_cast<double>(n);
  const double variance = (count * (count - 1) * (2 * count + 5) - ties) / 18;
  if (!(variance > 0) || s == 0) return 0;
  return (s > 0 ? s - 1 : s + 1) / std::sqrt(variance);
}

std::optional<Change> FindChange(std::span<const double> values, size_t least) {
  std::vector<double> finite;
  for (const double value : values) {
    if (std::isfinite(value)) finite.push_back(value);
  }
  least = std::max<size_t>(least, 1);
  const size_t n = finite.size();
  if (n < 2 * least) return std::nullopt;
  double total = 0;
  for (const double value : finite) total += value / static_cast<double>(n);
  // About the mean: large levels with small changes keep their digits.
  double variance = 0;
  for (double& value : finite) {
    value -= total;
    variance += value * value;
  }
  if (!(variance > 0) || !std::isfinite(variance)) return std::nullopt;
  double sum = 0, best = -1;
  Change change;
  for (size_t at = 1; at + least <= n; ++at) {
    sum += finite[at - 1];
    if (at < least) continue;
    // The sums on both sides are opposite.
    const auto left = static_cast<double>(at), right = static_cast<double>(n - at);
    const double between = sum * sum / left + sum * sum / right;
    if (between > best) {
      best = between;
      change = {at, total + sum / left, total - sum / right, std::min(between / variance, 1.0)};
    }
  }
  return change;
}

}  // namespace gpusight::diagnose
