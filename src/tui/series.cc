// SPDX-License-Identifier: Apache-2.0
#include "tui/series.h"

#include <algorithm>

namespace gpusight::tui {

void Series::Add(int64_t end_ns, int64_t span_ns, double value, bool provisional) {
  if (span_ns <= 0) return;
  int64_t begin = end_ns - span_ns;
  if (!provisional) {
    while (!points_.empty() && points_.back().provisional && points_.back().begin_ns >= begin) {
      points_.pop_back();
    }
    if (!points_.empty() && points_.back().provisional) {
      points_.back().end_ns = std::min(points_.back().end_ns, begin);
    }
  }
  const auto number = static_cast<float>(value);
  if (!points_.empty()) {
    Point& last = points_.back();
    if (end_ns <= last.end_ns) return;
    begin = std::max(begin, last.end_ns);
    if (begin == last.end_ns && end_ns - last.begin_ns <= kMergeNs &&
        provisional == last.provisional) {
      const auto old_span = static_cast<float>(last.end_ns - last.begin_ns);
      const auto new_span = static_cast<float>(end_ns - begin);
      last.mean = (last.mean * old_span + number * new_span) / (old_span + new_span);
      last.max = std::max(last.max, number);
      last.end_ns = end_ns;
      return;
    }
  }
  points_.push_back({begin, end_ns, number, number, provisional});
  if (points_.size() > kCapacity) points_.pop_front();
}

std::vector<ChartColumn> Series::Columns(int64_t now_ns, int64_t width_ns, size_t count,
                                         int64_t hold_ns) const {
  std::vector<ChartColumn> columns(count);
  if (points_.empty() || width_ns <= 0 || count == 0) return columns;
  std::vector<double> covered(count, 0);
  const int64_t end = now_ns / width_ns * width_ns;
  const int64_t begin = end - width_ns * static_cast<int64_t>(count);
  for (size_t age = 0; age < points_.size(); ++age) {
    const Point& point = points_[points_.size() - 1 - age];
    if (point.end_ns <= begin && age > 0) break;
    const int64_t to = std::min(
        age == 0 ? std::max(point.end_ns, std::min(now_ns, point.end_ns + hold_ns)) : point.end_ns,
        end);
    const int64_t from = std::max(point.begin_ns, begin);
    for (int64_t at = from; at < to;) {
      const int64_t index = (at - begin) / width_ns;
      const int64_t until = std::min(to, begin + (index + 1) * width_ns);
      ChartColumn& column = columns[static_cast<size_t>(index)];
      double& weight = covered[static_cast<size_t>(index)];
      const auto part = static_cast<double>(until - at);
      if (!column.known()) column = {0, point.max};
      column.mean =
          static_cast<float>((column.mean * weight + point.mean * part) / (weight + part));
      column.max = std::max(column.max, point.max);
      weight += part;
      at = until;
    }
  }
  return columns;
}

}  // namespace gpusight::tui
