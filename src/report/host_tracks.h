// SPDX-License-Identifier: Apache-2.0
// Collects what the frames say of the machine and of the container that the job runs in.
// Next: builder.h.
#pragma once

#include <array>
#include <vector>

#include "report/model.h"

namespace gpusight::report {

class HostTracks {
 public:
  explicit HostTracks(const Grid& grid);
  void Add(Reach reach, const Frame& frame);
  void TakeCurves(std::vector<NamedCurve>& curves);

 private:
  static constexpr size_t kRates = 4;
  std::vector<CurveBuilder> levels_;
  std::vector<CurveBuilder> rates_;
  std::array<Growth, kRates> counters_;
  CurveBuilder memory_used_;
  // Of the container of the job's processes.
  CurveBuilder container_cpu_, container_throttled_, container_memory_, container_limit_;
  Growth container_usage_, container_throttle_;
};

}  // namespace gpusight::report
