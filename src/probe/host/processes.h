// SPDX-License-Identifier: Apache-2.0
// The processes of a frame: those that the driver lists, their relatives, and those asked for.
// Keeps an entry for each from frame to frame. Next: process_reader.h (one process),
// relatives.h (whose child is who), translation.h (whose number is that).
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "probe/cgroup/containers.h"
#include "probe/host/host_probe.h"
#include "probe/host/job.h"
#include "probe/host/machine.h"
#include "probe/host/process_reader.h"
#include "probe/host/relatives.h"
#include "probe/host/threads.h"
#include "probe/host/translation.h"
#include "probe/host/tree.h"

namespace gpusight::host {

class Processes {
 public:
  // `containers` may be null. All must outlive it.
  Processes(const ProbeOptions& options, const Root& root, ProcFolder& proc, const Users& users,
            cgroup::Containers* containers, const Clock& clock);

  // Reads the processes that frame.processes lists, and their relatives.
  void Read(Frame& frame, const Machine& machine);

  // Tells the containers which of them this frame needs.
  void UseContainers();

  // Writes all into frame.processes, by pid.
  void Write(Frame& frame);

  // Reads the threads of that process too; 0: of none.
  void Watch(int pid) { watched_ = pid; }

  // Whether no process of the machine is hidden from here.
  Known<bool> SeesAll() const {
    return here_.known ? Known<bool>(here_.initial) : Known<bool>(Absence::kNotSupported);
  }

  // The slow lane: looks again at mounts and device nodes.
  void Refresh();

  // Looks through /proc if it must, ahead of Read(). `last_pid`: see Tree::Update().
  void Prepare(int last_pid);

 private:
  ProcessEntry& EntryOf(int pid);
  void ReadListed(Frame& frame);
  void ReadRelatives(int last_pid);
  void FindRelatives(int last_pid, size_t listed);
  void ReadOne(ProcessEntry& entry, bool listed);
  void FindLaunchers();
  bool IsLauncher(Tree::Node& node);
  void AssignRoles();
  void CountChildren();
  void Forget();
  ProcessEntry* Present(int pid);

  const ProbeOptions& options_;
  ProcFolder& proc_;
  cgroup::Containers* containers_;
  const Clock& clock_;
  ProcessReader reader_;
  ThreadReader thread_reader_;
  Tree tree_;
  Relatives relatives_;
  Job job_;
  Namespace here_;
  DeviceNodes device_nodes_;
  bool has_device_nodes_ = false;
  ReadBuffer buffer_;

  std::unordered_map<int, std::unique_ptr<ProcessEntry>> entries_;
  std::vector<ProcessEntry*> present_;  // of this frame: the listed ones, then the relatives
  size_t listed_ = 0;
  std::vector<int> roots_, found_, roots_before_, family_;
  uint64_t tree_before_ = 0;
  uint64_t sequence_ = 0;
  int watched_ = 0;                             // whose threads are asked for
  static constexpr size_t kWholePerFrame = 64;  // processes of which status is read
  size_t kept_most_ = 0;
  size_t kept_ = 0;    // entries whose files are open
  size_t before_ = 0;  // processes of the last frame
  size_t turn_ = 0;    // whose turn it is when not all are read
};

}  // namespace gpusight::host
