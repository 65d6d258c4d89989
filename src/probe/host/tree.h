// SPDX-License-Identifier: Apache-2.0
// Who is whose child: every process of /proc with its parent. Looking through /proc is the dearest
// thing that the host probe does (with thousands of processes it takes milliseconds), so it is done
// once a minute only, or when somebody saw that the tree is wrong. In between, the numbers that
// were given since the last look are tried one by one: /proc/loadavg names the last. Next:
// relatives.h.
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
    bool seen = false;                  // used while scanning
    bool doubtful = false;              // its parent ended: it has another one now
    std::optional<bool> launcher = {};  // for whoever asks; forgotten at each full look
  };

  explicit Tree(ProcFolder& proc) : proc_(proc) {}

  // Brings it up to date. `last_pid`: the number given last, 0 when not known. When more numbers
  // were given than can be tried (threads take numbers, too), all of /proc is looked through, but
  // not before `pause` seconds have passed since it was.
  void Update(int last_pid, MonoTime now, double pause);

  // A process ended, or has another parent than here: the next Update() looks through all.
  void Doubt() { doubted_ = true; }

  // By pid.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const Node* Find(int pid) const;
  [[nodiscard]] Node* Find(int pid);
  [[nodiscard]] bool Has(int pid) const { return Find(pid) != nullptr; }

  // Counts the looks through all of /proc. While it stays, nothing of what was known has changed.
  [[nodiscard]] uint64_t version() const { return version_; }
  // The processes that were found without such a look since ForgetAdded().
  [[nodiscard]] const std::vector<int>& added() const { return added_; }
  void ForgetAdded() { added_.clear(); }

  // A full look, at every process anew, at least so often; without last numbers, the second.
  static constexpr double kRefreshSeconds = 60, kBlindSeconds = 10;

 private:
  void Scan(bool reread);
  void TryNumbers(int first, int last);
  bool Try(int pid);
  int ParentOf(int pid);

  ProcFolder& proc_;
  ReadBuffer buffer_;
  std::vector<Node> nodes_;
  std::vector<int> listed_, added_, late_, retry_;
  int last_pid_ = -1;
  bool doubted_ = false;
  MonoTime next_refresh_, next_scan_;
  uint64_t version_ = 0;
};

}  // namespace gpusight::host
