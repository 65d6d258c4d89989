// SPDX-License-Identifier: Apache-2.0
// Who is whose child: every process of /proc with its parent. Looking through /proc is the dearest
// thing that the host probe does, so it is done only when a process was started (the last number
// given, in /proc/loadavg, moved) and only new numbers are read. Next: relatives in host_probe.cc.
#pragma once

#include <optional>
#include <vector>

#include "base/clock.h"
#include "probe/host/proc_folder.h"

namespace gpusight::host {

class Tree {
 public:
  struct Node {
    int pid = 0;
    int parent = 0;
    bool seen = false;             // used while scanning
    bool doubtful = false;         // its parent ended: it has another one now
    std::optional<bool> launcher;  // for whoever asks; forgotten at each full look
  };

  explicit Tree(ProcFolder& proc) : proc_(proc) {}

  // Looks through /proc if it must, but not before `pause` seconds have passed: threads take
  // numbers too, so on a busy machine there is always a new one. `last_pid`: the number given last,
  // 0 when not known.
  void Update(int last_pid, MonoTime now, double pause);

  // By pid.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const Node* Find(int pid) const;
  [[nodiscard]] Node* Find(int pid);
  [[nodiscard]] bool Has(int pid) const { return Find(pid) != nullptr; }

  // Counts the looks through /proc; unchanged means that the tree is as it was.
  [[nodiscard]] uint64_t version() const { return version_; }

  // A full look, at every process anew, at least so often; without last numbers, the second.
  static constexpr double kRefreshSeconds = 60, kBlindSeconds = 10;

 private:
  void Scan(bool reread);
  int ParentOf(int pid);

  ProcFolder& proc_;
  ReadBuffer buffer_;
  std::vector<Node> nodes_;
  std::vector<int> listed_;
  int last_pid_ = -1;
  MonoTime next_refresh_, next_scan_;
  uint64_t version_ = 0;
};

}  // namespace gpusight::host
