// SPDX-License-Identifier: Apache-2.0
// The threads of one process: CPU and state of each, context switches of all. Read only where
// asked for, because a training process has a hundred of them or more.
#pragma once

#include "base/clock.h"
#include "probe/host/proc_folder.h"
#include "probe/host/process_entry.h"

namespace gpusight::host {

class ThreadReader {
 public:
  ThreadReader(ProcFolder& proc, const Clock& clock);

  // Fills entry.sample.threads (busiest first) and the process's fields about threads and context
  // switches. The switches of threads that ended stay counted.
  void Read(ProcessEntry& entry);

 private:
  void ReadSwitches(ProcessEntry& entry);

  // Of one thread, a look into its status file in each frame would double the cost; a part of
  // the threads is looked at in each.
  static constexpr size_t kStatusPerFrame = 64;

  ProcFolder& proc_;
  const Clock& clock_;
  ReadBuffer buffer_;
  std::vector<int> tids_;
  double ticks_per_second_;
};

}  // namespace gpusight::host
