// SPDX-License-Identifier: Apache-2.0
// The past of one number, for a chart. A point holds its value over a span of time; a chart asks
// for columns of equal width and gets mean and maximum of each, so that a peak between two frames
// stays visible at every scale. What was not measured is a gap, never 0. Next: history.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
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
  // dropped, those within a tenth of a second are merged. A `provisional` point stands until a
  // better one comes for its time: the driver's own samples arrive seconds later than the frame.
  void Add(int64_t end_ns, int64_t span_ns, double value, bool provisional = false);

  // The `count` columns of `width_ns` each that end with the last complete one before `now_ns`;
  // their borders are multiples of the width, so that a chart moves by whole columns. The newest
  // point counts for `hold_ns` longer, until a later one comes.
  [[nodiscard]] std::vector<ChartColumn> Columns(int64_t now_ns, int64_t width_ns, size_t count,
                                                 int64_t hold_ns) const;

  size_t size() const { return points_.size(); }

  static constexpr size_t kCapacity = 4096;
  static constexpr int64_t kMergeNs = 100'000'000;

 private:
  struct Point {
    int64_t begin_ns = 0, end_ns = 0;
    float mean = 0, max = 0;
    bool provisional = false;
  };
  std::deque<Point> points_;  // oldest first, without overlap
};

}  // namespace gpusight::tui
