// SPDX-License-Identifier: Apache-2.0
// The past of one number, for a chart. A point holds its value over a span of time; a chart asks
// for columns of equal width and gets mean and maximum of each, so that a peak between two frames
// stays visible at every scale. What was not measured is a gap, never 0. Next: history.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace gpusight::tui {

struct ChartColumn {
  float mean = std::numeric_limits<float>::quiet_NaN();  // NaN: nothing known
  float max = std::numeric_limits<float>::quiet_NaN();
  bool known() const { return mean == mean; }
};

class Series {
 public:
  // `value` held during the `span_ns` before `end_ns`. Points that end before the newest one are
  // dropped, those within a tenth of a second are merged.
  void Add(int64_t end_ns, int64_t span_ns, double value);

  // The `count` columns of `width_ns` each that end with the last complete one before `now_ns`;
  // their borders are multiples of the width, so that a chart moves by whole columns. The newest
  // point counts for `hold_ns` longer, until a later one comes.
  [[nodiscard]] std::vector<ChartColumn> Columns(int64_t now_ns, int64_t width_ns, size_t count,
                                                 int64_t hold_ns) const;

  size_t size() const { return points_.size(); }
  int64_t newest_ns() const { return points_.empty() ? 0 : Newest(0).end_ns; }

  static constexpr size_t kCapacity = 4096;
  static constexpr int64_t kMergeNs = 100'000'000;

 private:
  struct Point {
    int64_t begin_ns = 0, end_ns = 0;
    float mean = 0, max = 0;
  };
  const Point& Newest(size_t age) const {  // 0: the newest
    return points_[(next_ + points_.size() - 1 - age) % points_.size()];
  }

  std::vector<Point> points_;  // a ring once it is full; next_ is the oldest then
  size_t next_ = 0;
};

}  // namespace gpusight::tui
