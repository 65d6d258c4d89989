// SPDX-License-Identifier: Apache-2.0
// Writes what happened between two frames: steps, stack samples, marks, failed allocations, events,
// and how the probes did. Next: encoder.h.
#pragma once

#include <map>
#include <string>

#include "record/database.h"
#include "record/identities.h"

namespace gpusight::record {

// Steps of a process that one frame keeps one by one; of more, neighbours are merged.
inline constexpr size_t kStepsPerFrame = 16;

class Happenings {
 public:
  Happenings(Database& database, Identities& identities);

  // False on an error.
  bool Write(const Frame& frame, int64_t t, const FrameIds& ids);

 private:
  struct ProbeState {
    double durations = 0, longest = 0, latest = 0;
    int samples = 0;
    ProbeStats last;
  };
  bool WriteSteps(const FrameworkSample& framework, int64_t process, const Frame& frame, int64_t t);
  bool WriteStacks(const FrameworkSample& framework, int64_t process, const Frame& frame,
                   int64_t t);
  bool WriteMarks(const FrameworkSample& framework, int64_t process, const Frame& frame, int64_t t);
  bool WriteEvents(const Frame& frame, int64_t t);
  bool WriteProbes(const Frame& frame, int64_t t);

  Identities& identities_;
  Statement step_, stack_, mark_, oom_, event_, probe_;
  std::map<std::string, ProbeState> probes_;
  int64_t probes_written_ = 0;
  std::string bytes_;
};

}  // namespace gpusight::record
