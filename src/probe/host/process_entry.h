// SPDX-License-Identifier: Apache-2.0
// What is kept about one process from frame to frame. Its identity is pid and start time: another
// process under the same number gets a new entry, and its counters begin anew. Next:
// process_reader.h.
#pragma once

#include <cstdint>
#include <vector>

#include "base/kept_file.h"
#include "model/frame.h"
#include "probe/host/roles.h"

namespace gpusight::host {

struct ThreadEntry {
  int tid = 0;
  uint64_t start_ticks = 0;
  uint64_t cpu_ticks = 0;
  uint64_t voluntary = 0, involuntary = 0;
  bool switches_known = false;
  MonoTime read_at;
  bool seen = false;
};

// Whether it holds a device node of the driver open.
enum class HoldsDevice : uint8_t { kUnknown, kNo, kYes };

// What a process that the driver lists is to us; see translation.h.
enum class Holder : uint8_t {
  kHere,     // one of ours
  kOutside,  // of another namespace
  kEnded,    // it ended, but the driver still lists it
};

struct ProcessEntry {
  // Everything that goes into the frame, but the uses.
  ProcessSample sample;

  KeptFile stat, status, statm, io;
  void CloseFiles() {
    for (KeptFile* file : {&stat, &status, &statm, &io}) file->Close();
  }
  MonoTime read_at;          // of cpu_ticks
  uint64_t cpu_ticks = 0;    // user and system
  bool rate_known = false;   // cpu_ticks is of an earlier frame
  MonoTime next_details;     // when the rarely read facts are due again
  MonoTime next_program;     // and those that hardly ever change
  bool has_details = false;  //
  int io_error = 0;          // errno of the last try; not tried again before the next details
  HoldsDevice holds = HoldsDevice::kUnknown;
  int container = -1;  // handle of cgroup::Containers
  uint32_t real_uid = 0, saved_uid = 0;
  char state = '?';
  int thread_count = 0;
  Holder holder = Holder::kHere;
  bool kept = false;      // its files are open
  bool gone = false;      // no such process any more
  bool was_here = false;  // it was seen alive in our namespace, on a device
  uint64_t seen_in = 0;   // frame that asked for it last

  int children = 0;  // below it in the present frame
  int workers = 0;   // those of them that load data

  Kin kin;
  std::vector<ThreadEntry> threads;
  size_t next_switches = 0;                             // the thread whose switches are read next
  uint64_t ended_voluntary = 0, ended_involuntary = 0;  // of threads that ended
};

}  // namespace gpusight::host
