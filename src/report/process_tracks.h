// SPDX-License-Identifier: Apache-2.0
// Collects what the frames say of the processes: a row for each, and what they take together.
// Next: builder.h.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "report/model.h"

namespace gpusight::report {

// Identity within a PID namespace.
using ProcessKey = std::pair<int, uint64_t>;  // pid, start ticks

class ProcessTracks {
 public:
  explicit ProcessTracks(const Grid& grid);

  // The position of the process in the list, made when it is new; -1 beyond what is kept.
  int Find(ProcessKey key);
  // Everything but the devices, which the caller tells by UsedDevice().
  void Add(Reach reach, const Frame& frame);
  void UsedDevice(int process, int device);
  void AddStep(int process, const record::RecordedStep& step);
  bool cut() const { return cut_; }  // there were more

  // In the order of their positions.
  std::vector<ProcessReport> Take();
  // CPU, reads and writes of all of them.
  void TakeCurves(std::vector<NamedCurve>& curves);

 private:
  struct Track {
    ProcessReport report;
    Growth read, written;
    double cpu_sum = 0, cpu_seconds = 0;
    Missing cpu_missing{Absence::kNotApplicable, 0};
    Missing io_missing{Absence::kNotApplicable, 0};
    std::vector<StepBuilder> steps;  // none or one
  };
  void AddOne(Reach reach, const ProcessSample& process, Track& track);
  void AddFramework(const FrameworkSample& framework, Track& track);

  const Grid* grid_;
  std::map<ProcessKey, int> numbers_;
  std::vector<Track> tracks_;
  CurveBuilder cpu_, read_, written_;
  bool cut_ = false;
};

}  // namespace gpusight::report
