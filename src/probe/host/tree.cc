// SPDX-License-Identifier: Apache-2.0
#include "probe/host/tree.h"

#include <algorithm>

#include "probe/host/proc_stat.h"

namespace gpusight::host {
namespace {

bool ByPid(const Tree::Node& a, const Tree::Node& b) { return a.pid < b.pid; }

}  // namespace

const Tree::Node* Tree::Find(int pid) const {
  const auto at =
      std::lower_bound(nodes_.begin(), nodes_.end(), Node{pid, 0, false, false, {}}, ByPid);
  return at != nodes_.end() && at->pid == pid ? &*at : nullptr;
}

Tree::Node* Tree::Find(int pid) {
  return const_cast<Node*>(static_cast<const Tree*>(this)->Find(pid));
}

int Tree::ParentOf(int pid) {
  ++proc_.reads;
  const int error =
      buffer_.ReadOnce(proc_.folder.get(), ShortPath("{}/stat", pid).c_str(), Pieces::kOne);
  const auto stat = error == 0 ? ParseProcStat(buffer_.text()) : std::nullopt;
  return stat ? stat->parent : 0;
}

void Tree::Update(int last_pid, MonoTime now, double pause) {
  // Once the numbers have gone round, one may mean another process than before.
  const bool gone_round = last_pid < last_pid_;
  const bool refresh = version_ == 0 || now >= next_refresh_ || gone_round;
  const bool nobody_new = last_pid != 0 && last_pid == last_pid_;
  if (!refresh && proc_.live && (nobody_new || now < next_scan_)) return;
  next_scan_ = MonoTime{now.ns + static_cast<int64_t>(0.9 * pause * 1e9)};
  last_pid_ = last_pid;
  const double period = last_pid == 0 ? kBlindSeconds : kRefreshSeconds;
  if (refresh) next_refresh_ = MonoTime{now.ns + static_cast<int64_t>(period * 1e9)};
  Scan(refresh);
}

void Tree::Scan(bool reread) {
  ++version_;
  ++proc_.reads;
  if (ListNumbers(proc_.folder.get(), ".", listed_) != 0) return;

  // Both lists are sorted: walk them together.
  for (Node& node : nodes_) node.seen = false;
  const size_t known = nodes_.size();
  size_t at = 0;
  for (const int pid : listed_) {
    while (at < known && nodes_[at].pid < pid) ++at;
    if (at < known && nodes_[at].pid == pid) {
      nodes_[at].seen = true;
      if (reread) nodes_[at].parent = ParentOf(pid);
      if (reread) nodes_[at].launcher.reset();
    } else {
      nodes_.push_back({pid, ParentOf(pid), true, false, {}});
    }
  }
  const size_t before = nodes_.size();
  std::erase_if(nodes_, [](const Node& node) { return !node.seen; });
  const bool some_ended = nodes_.size() < before;
  std::sort(nodes_.begin(), nodes_.end(), ByPid);
  if (!some_ended) return;
  // An orphan is given to a reaper, which only its own file names.
  for (Node& node : nodes_) node.doubtful = node.parent > 0 && !Has(node.parent);
  for (Node& node : nodes_) {
    if (node.doubtful) node.parent = ParentOf(node.pid);
  }
}

}  // namespace gpusight::host
