// SPDX-License-Identifier: Apache-2.0
#include "probe/host/job.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "probe/host/proc_stat.h"

namespace gpusight::host {
namespace {

constexpr ptrdiff_t kRemembered = 1024;  // of those that ended

bool Contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

bool Job::Has(int pid) const { return std::binary_search(members_.begin(), members_.end(), pid); }

Job::Judged* Job::Find(int pid) {
  const auto at = std::lower_bound(judged_.begin(), judged_.end(), pid,
                                   [](const Judged& a, int b) { return a.pid < b; });
  return at != judged_.end() && at->pid == pid ? &*at : nullptr;
}

void Job::Forget(int pid) {
  if (Judged* one = Find(pid)) one->verdict = Verdict::kUnknown;
  forgot_ = true;
}

void Job::Update(const Tree& tree) {
  if (!wanted()) return;
  // Both lists are sorted by pid. Who is new is added first, so that a verdict can ask for those of
  // the ancestors, whichever number is higher.
  for (Judged& one : judged_) one.seen = false;
  const size_t before = judged_.size();
  size_t at = 0;
  bool changed = std::exchange(forgot_, false);
  for (const Tree::Node& node : tree.nodes()) {
    while (at < before && judged_[at].pid < node.pid) ++at;
    if (at < before && judged_[at].pid == node.pid) {
      judged_[at].seen = true;
    } else {
      judged_.push_back({node.pid, Verdict::kUnknown, true});
      changed = true;
    }
  }
  const auto ended = [this](const Judged& one) {
    if (one.seen) return false;
    if (one.verdict == Verdict::kMember) former_.push_back(one.pid);
    return true;
  };
  changed = std::erase_if(judged_, ended) > 0 || changed;
  if (!changed) return;
  if (std::ssize(former_) > kRemembered)
    former_.erase(former_.begin(), former_.end() - kRemembered);
  std::sort(judged_.begin(), judged_.end(),
            [](const Judged& a, const Judged& b) { return a.pid < b.pid; });

  constexpr size_t kDeepest = 4096;  // more is a loop: numbers that were reused while we looked
  for (size_t i = 0; i < judged_.size(); ++i) {
    // Upwards to the first who was judged already, then down again.
    path_.clear();
    for (Judged* one = &judged_[i]; one != nullptr && one->verdict == Verdict::kUnknown;) {
      path_.push_back(one);
      const Tree::Node* node = tree.Find(one->pid);
      if (path_.size() > kDeepest || node == nullptr) break;
      one = Find(node->parent);
    }
    while (!path_.empty()) {
      const Tree::Node* node = tree.Find(path_.back()->pid);
      path_.back()->verdict = node != nullptr ? Judge(*node) : Verdict::kStranger;
      path_.pop_back();
    }
  }
  members_.clear();
  for (const Judged& one : judged_) {
    if (one.verdict == Verdict::kMember) members_.push_back(one.pid);
  }
}

// The parent, if it still lives, was judged before.
Job::Verdict Job::Judge(const Tree::Node& node) {
  if (Contains(options_.without, node.pid)) return Verdict::kStranger;
  const Judged* parent = Find(node.parent);
  bool member = node.pid == options_.root || options_.everything ||
                (parent != nullptr && parent->verdict == Verdict::kMember);
  const int error =
      buffer_.ReadOnce(proc_.folder.get(), ShortPath(node.pid, "/stat").c_str(), Pieces::kOne);
  ++proc_.reads;
  const auto stat = error == 0 ? ParseProcStat(buffer_.text()) : std::nullopt;
  if (!stat || stat->start_ticks < options_.earliest_ticks) return Verdict::kStranger;
  if (!member) member = LedByMember(stat->session) || CarriesTheVariable(node.pid);
  return member ? Verdict::kMember : Verdict::kStranger;
}

// A session is numbered after the process that made it.
bool Job::LedByMember(int session) {
  const Judged* leader = Find(session);
  return (leader != nullptr && leader->verdict == Verdict::kMember) || Contains(former_, session);
}

bool Job::CarriesTheVariable(int pid) {
  if (options_.run_id.empty()) return false;
  ++proc_.reads;
  if (buffer_.ReadOnce(proc_.folder.get(), ShortPath(pid, "/environ").c_str()) != 0) return false;
  for (const std::string_view variable : Split(buffer_.text(), '\0')) {
    if (variable.starts_with(kRunVariable) &&
        variable.substr(kRunVariable.size()).starts_with('=')) {
      return variable.substr(kRunVariable.size() + 1) == options_.run_id;
    }
  }
  return false;
}

}  // namespace gpusight::host
