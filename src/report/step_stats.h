// SPDX-License-Identifier: Apache-2.0
// Statistics of one process's steps in bounded memory: percentiles to one per cent by a histogram
// whose bins grow by one per cent each, the slowest steps, and sums per piece of the grid.
// Next: model.h.
#pragma once

#include <cstdint>
#include <vector>

#include "record/reader.h"
#include "report/curve.h"

namespace gpusight::report {

struct StepBin {
  double from = 0, to = 0;  // seconds
  uint64_t steps = 0;
};

// What the steps of a piece of time add up to.
struct StepSums {
  double steps = 0, seconds = 0, data_seconds = 0;
};

struct StepReport {
  uint64_t steps = 0;
  // Of `steps`, those of which only the mean over several is still kept; their spread is unknown.
  uint64_t merged = 0;
  double seconds = 0, data_seconds = 0;  // sums
  double mean = 0, least = 0, most = 0, p50 = 0, p95 = 0, p99 = 0;
  std::vector<StepBin> histogram;  // at most 60 bins; the last may be wide
  // Steps slower than twice the median, the slowest first, at most 20; and how many there are.
  std::vector<StepSample> outliers;
  uint64_t outlier_count = 0;
  std::vector<double> mean_curve, most_curve, data_share;  // per piece; NaN without a step
  std::vector<StepSums> sums;                              // per piece
};

class StepBuilder {
 public:
  explicit StepBuilder(const Grid& grid) : grid_(&grid) {}
  void Add(const record::RecordedStep& step);
  StepReport Take();

 private:
  const Grid* grid_;
  StepReport report_;
  std::vector<uint64_t> bins_;
  std::vector<StepSample> slowest_;
};

}  // namespace gpusight::report
