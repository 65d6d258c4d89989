// SPDX-License-Identifier: Apache-2.0
// What frames and output tell of a job's end before it comes: the exception that the program told,
// allocations that failed, errors of the driver, how full /dev/shm was. Little is kept. Pure.
// Next: ../record/run_end.h, which judges.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/exit_facts.h"
#include "model/frame.h"

namespace gpusight::cli {

class EndSigns {
 public:
  // `container`: that of the job; nullptr when there is none.
  void Add(const Frame& frame, const ContainerSample* container);

  // An allocation failed, whatever came of it.
  [[nodiscard]] bool ran_out() const { return ran_out_; }

  // After the last frame. `output`: the end of what it printed.
  void Complete(ExitFacts& facts, std::string_view output) const;

 private:
  void AddFramework(const FrameworkSample& framework);
  void AddShm(const Frame& frame, const ContainerSample* container);

  bool ran_out_ = false;
  std::map<int, WallTime> out_of_memory_;  // by process: since then it has done no step
  WallTime told_at_;
  std::string exception_;
  std::vector<Event> xids_;
  std::set<std::string, std::less<>> used_;  // devices, by UUID
  bool outsiders_ = false;                   // the driver lists numbers of another PID namespace
  struct Shm {
    WallTime time;
    Known<double> total, used;
  };
  std::vector<Shm> shm_;  // of the last minute
};

}  // namespace gpusight::cli
