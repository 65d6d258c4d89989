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
      buffer_.ReadOnce(proc_.folder.get(), ShortPath(pid, "/stat").c_str(), Pieces::kOne);
  const auto stat = error == 0 ? ParseProcStat(buffer_.text()) : std::nullopt;
  return stat ? stat->parent : 0;
}

void Tree::Update(int last_pid, MonoTime now, double pause) {
  const auto after = [now](double seconds) {
    return MonoTime{now.ns + static_cast<int64_t>(seconds * 1e9)};
  };
  // Once the numbers have gone round, one may mean another process than before.
  const bool gone_round = last_pid < last_pid_;
  const bool refresh = version_ == 0 || now >= next_refresh_ || gone_round;
  if (!refresh && !doubted_ && proc_.live) {
    if (last_pid != 0) {
      // Trying a number costs a few times what its entry costs in a list of all.
      constexpr int kAlwaysTried = 64;
      const int most = std::max(kAlwaysTried, static_cast<int>(nodes_.size() / 4));
      if (last_pid - last_pid_ <= most) {
        TryNumbers(last_pid_ + 1, last_pid);
        last_pid_ = last_pid;
        return;
      }
    }
    if (now < next_scan_) return;
  }
  // A sample comes a little early or late; what is due by then is due now.
  next_scan_ = after(0.9 * pause);
  if (refresh) next_refresh_ = after(last_pid == 0 ? kBlindSeconds : kRefreshSeconds);
  last_pid_ = last_pid;
  doubted_ = false;
  retry_.clear();
  Scan(refresh);
}

// A number may be given a moment before its process can be seen, so that the last ones which were
// not there are tried a second time.
void Tree::TryNumbers(int first, int last) {
  constexpr int kLate = 8;
  late_.clear();
  for (const int pid : retry_) Try(pid);
  for (int pid = first; pid <= last; ++pid) {
    if (!Try(pid) && pid > last - kLate) late_.push_back(pid);
  }
  std::swap(late_, retry_);
}

// True when there is such a process or thread.
bool Tree::Try(int pid) {
  ++proc_.reads;
  const int error =
      buffer_.ReadOnce(proc_.folder.get(), ShortPath(pid, "/stat").c_str(), Pieces::kOne);
  const auto stat = error == 0 ? ParseProcStat(buffer_.text()) : std::nullopt;
  if (!stat) return false;
  constexpr int kThread = -1;  // threads have numbers, too, but send their parent no signal
  if (stat->exit_signal == kThread) return true;
  const Node node{pid, stat->parent, true, false, {}};
  const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), node, ByPid);
  if (at != nodes_.end() && at->pid == pid) {
    *at = node;  // the number of one that ended
    doubted_ = true;
  } else {
    nodes_.insert(at, node);
    added_.push_back(pid);
  }
  return true;
}

void Tree::Scan(bool reread) {
  ++version_;
  ++proc_.reads;
  if (ListNumbers(proc_.folder.get(), ".", listed_) != 0) return;

  // Both lists are sorted: walk them together.
  for (Node& node : nodes_) node.seen = false;
  const size_t known = nodes_.size();
  // Room for the ups and downs of a machine, so that these allocate nothing.
  const size_t most = known + listed_.size();
  if (nodes_.capacity() < most) nodes_.reserve(most + most / 2);
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
