// SPDX-License-Identifier: Apache-2.0
// How a job ended, and what its surroundings counted meanwhile: the facts from which a post-mortem
// is made. Who watched the job without being its parent (gpusight watch, or a recorder whose
// launcher was killed) knows less, so most of it is Known<T>. Next: framework.h for what the job
// itself told before.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "model/event.h"
#include "model/known.h"

namespace gpusight {

enum class EndKind : uint8_t {
  kUnknown,  // it ended, but nobody told how
  kExited,   // `code`
  kSignal,   // `signal` killed it
  kRunning,  // recording ended before the job
};

// A signal for the job that came through us, oldest first: who asked it to end, and when.
struct SignalFact {
  int number = 0;
  WallTime time;
  int sender = 0;           // its pid; 0: the kernel (Ctrl-C), or somebody outside our container
  std::string sender_name;  // its program, "" when not known
};

struct ExitFacts {
  EndKind kind = EndKind::kUnknown;
  int code = 0;              // of kExited
  int signal = 0;            // of kSignal
  bool core_dumped = false;  // of kSignal
  WallTime began, ended;
  double seconds = 0;  // between the two, on a clock that does not jump

  // Of the first process and of those below it that were waited for (getrusage).
  Known<double> cpu_user, cpu_system;  // seconds
  Known<double> peak_resident;         // bytes, of the largest of them
  Known<double> major_faults;
  Known<double> blocks_read, blocks_written;  // of 512 bytes, from and to storage

  std::vector<SignalFact> signals;
  int left_behind = 0;  // processes of the job that went on after its first one ended

  // Counted between begin and end of the recording.
  Known<double> oom_kills_container;  // by the kernel, in the job's control group (memory.events)
  Known<double> oom_kills_machine;    // and on the whole machine (/proc/vmstat)

  // Of the job's control group, at the end.
  Known<double> memory_limit, memory_peak;  // bytes; kNoLimit
  Known<double> shm_total, shm_used;        // bytes of its /dev/shm, the most of the last minute

  // What the program and the driver told before it ended.
  bool out_of_memory = false;  // a device had no memory for it, and it did not go on
  std::string exception;       // type and message of what ended it; "" when nobody told
  std::vector<Event> xids;     // of the devices that it used
};

// "SIGTERM", "SIGRTMIN+3", "signal 77".
[[nodiscard]] std::string SignalName(int number);

}  // namespace gpusight
