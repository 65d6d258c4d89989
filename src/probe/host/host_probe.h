// SPDX-License-Identifier: Apache-2.0
// The host: processes, containers and the machine, read from /proc, /sys and the control groups
// below a Root. Runs after the card's probe and fills in who the GPU processes are.
// Next: processes.h for the processes, machine.h for the machine, ../cgroup/ for containers.
#pragma once

#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "model/frame.h"
#include "probe/host/job.h"

namespace gpusight::host {

struct ProbeOptions {
  bool threads = false;   // per-thread CPU and state of processes on a GPU
  bool relatives = true;  // children of GPU processes (data-loader workers) too
  bool mounts = false;    // file systems of open files
  bool containers = true;
  bool container_facts = true;  // false: who they are only, not what they use and may use
  bool machine = true;          // false: nothing of the machine itself
  // Seconds between two readings of what is dear: the machine, the pressure and the peak memory of
  // containers, the list of all processes.
  double slow_seconds = 5;
  bool open_files = true;       // count the open files of each process
  std::vector<int> extra_pids;  // of interest although on no GPU (--pid, a job's root)
  JobOptions job;               // its processes are of interest, and marked
  bool only_extra = false;      // the others are read once, to tell who they are
  // Of more processes than this, only so many are read anew in each frame, in turn; the others
  // keep what was last read of them, their CPU rate being over their own interval.
  size_t read_per_frame = 256;
  size_t kept_processes = 200;  // of so many, files stay open: that halves the cost of reading them
};

// Not thread-safe: one caller. All references must outlive it.
class Probe {
 public:
  Probe(ProbeOptions options, const Clock& clock, const Root& root, Log& log);
  ~Probe();

  // Does what of the next Sample() does not depend on the card, so that it can be done while
  // somebody else waits for the driver. Writes frame.host only.
  void Prepare(Frame& frame);

  // Completes frame.processes, adds relatives, fills frame.containers and frame.host and its entry
  // in frame.probes. Processes of the driver that do not exist in our PID namespace become
  // translated=false with kOutsideNamespace; dead ones become zombies.
  void Sample(Frame& frame);

  // Only what memory the machine has and can still give, for devices that share it.
  void ReadMemory(Frame& frame);

  // Reads the threads of that process too, whatever options.threads says; 0: of none.
  void Watch(int pid);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gpusight::host
