// SPDX-License-Identifier: Apache-2.0
// Reads one process: at every frame what changes (stat, status, io), every few seconds the rest
// (command line, environment, control group, open files). Next: threads.h, open_files.h.
#pragma once

#include <climits>

#include "base/clock.h"
#include "probe/cgroup/containers.h"
#include "probe/host/host_probe.h"
#include "probe/host/open_files.h"
#include "probe/host/proc_folder.h"
#include "probe/host/proc_stat.h"
#include "probe/host/process_entry.h"
#include "probe/host/users.h"

namespace gpusight::host {

class ProcessReader {
 public:
  // `containers` may be null: control groups are not looked at. The rest must outlive it, except
  // the options.
  ProcessReader(ProcFolder& proc, const Users& users, cgroup::Containers* containers,
                const Clock& clock, const ProbeOptions& options);

  // The machine's boot time (seconds since 1970; 0: not known), for start times, and how many CPUs
  // it has (0: not known).
  void SetMachine(uint64_t boot_time, int online_cpus) {
    boot_time_ = boot_time;
    online_cpus_ = online_cpus > 0 ? online_cpus : INT_MAX;
  }

  // Brings `entry` up to date; with `keep` its files stay open. When the process ended, entry.gone;
  // when another one has its number, the entry is made anew for that one. `whole` is false where
  // many processes share a frame: the dear file (status) is then left for another frame, so that
  // shared memory, swap and context switches are those of the last whole reading.
  void Read(ProcessEntry& entry, bool keep, bool whole);

  void ForgetMounts() { files_.ForgetMounts(); }

  // Find out whether processes on a device hold a device node; dear where thousands of files are
  // open.
  void LookForDeviceNodes(bool look) { look_for_nodes_ = look; }

  static constexpr double kDetailSeconds = 10;   // between two looks at open files
  static constexpr double kProgramSeconds = 30;  // and at what hardly ever changes

 private:
  int Get(KeptFile& file, int pid, const char* name, bool keep);
  void ReadStatus(ProcessEntry& entry, bool keep);
  void ReadStatm(ProcessEntry& entry, bool keep);
  void ReadIo(ProcessEntry& entry, bool keep);
  void ReadDetails(ProcessEntry& entry, bool fresh, MonoTime now);
  void ReadCommand(ProcessEntry& entry);
  void ReadEnvironment(ProcessEntry& entry);
  void ReadContainer(ProcessEntry& entry);

  ProcFolder& proc_;
  const Users& users_;
  cgroup::Containers* containers_;
  const Clock& clock_;
  bool mounts_, count_files_;
  OpenFiles files_;
  ReadBuffer buffer_;
  uint64_t boot_time_ = 0;
  int online_cpus_ = INT_MAX;
  bool look_for_nodes_ = true;
  uint32_t own_uid_;
  double ticks_per_second_;
  double page_bytes_;
};

}  // namespace gpusight::host
