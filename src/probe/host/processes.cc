// SPDX-License-Identifier: Apache-2.0
#include "probe/host/processes.h"

#include <sys/resource.h>

#include <algorithm>

#include "probe/host/proc_text.h"

namespace gpusight::host {
namespace {

bool Contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool ByPid(const ProcessEntry* a, const ProcessEntry* b) { return a->sample.pid < b->sample.pid; }

// Everything of `from` goes into `to` but what the card's probe knows.
void Complete(const ProcessEntry& from, ProcessSample& to) {
  std::vector<GpuUse> uses = std::move(to.uses);
  to = from.sample;
  to.uses = std::move(uses);
  if (from.holder == Holder::kOutside) DescribeOutsider(to);
  if (from.holder == Holder::kEnded) DescribeEnded(to);
}

}  // namespace

Processes::Processes(const ProbeOptions& options, const Root& root, ProcFolder& proc,
                     const Users& users, cgroup::Containers* containers, const Clock& clock)
    : options_(options),
      proc_(proc),
      containers_(containers),
      clock_(clock),
      reader_(proc, users, containers, clock, options),
      thread_reader_(proc, clock),
      tree_(proc),
      job_(options.job, proc),
      here_(FindNamespace(proc)),
      device_nodes_(root) {
  Refresh();
  // Up to four files of each; the program needs some descriptors for other ends.
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  kept_most_ = std::min<size_t>(options.kept_processes, limit.rlim_cur / 6);
}

void Processes::Refresh() {
  reader_.ForgetMounts();
  has_device_nodes_ = device_nodes_.Any();
  // Only inside a PID namespace of its own does it matter who holds one (translation.h).
  reader_.LookForDeviceNodes(!here_.initial && has_device_nodes_);
}

// Whether anybody will ask for relatives is only known for sure once the devices have told.
void Processes::Prepare(int last_pid) {
  if (options_.relatives || job_.wanted()) {
    tree_.Update(last_pid, clock_.Mono(), 2 * options_.slow_seconds);
  }
}

ProcessEntry& Processes::EntryOf(int pid) {
  auto& entry = entries_[pid];
  if (!entry) {
    entry = std::make_unique<ProcessEntry>();
    entry->sample.pid = pid;
  }
  entry->seen_in = sequence_;
  return *entry;
}

// The entry of a process of this frame, or null.
ProcessEntry* Processes::Present(int pid) {
  const auto found = entries_.find(pid);
  return found != entries_.end() && found->second->seen_in == sequence_ ? found->second.get()
                                                                        : nullptr;
}

void Processes::Read(Frame& frame, const Machine& machine) {
  ++sequence_;
  reader_.SetMachine(machine.boot_time(), machine.cpus());
  // Fewer than all: begin where the last frame stopped.
  before_ = present_.size();
  turn_ = before_ <= options_.read_per_frame ? 0 : (turn_ + options_.read_per_frame) % before_;
  present_.clear();
  ReadListed(frame);
  listed_ = present_.size();
  ReadRelatives(machine.last_pid());
  Forget();
  AssignRoles();
  CountChildren();
}

void Processes::ReadOne(ProcessEntry& entry, bool listed) {
  entry.kin.on_device = listed;
  const size_t place = present_.size();
  present_.push_back(&entry);
  const bool wanted = listed || Contains(options_.extra_pids, entry.sample.pid);
  if (entry.has_details && options_.only_extra &&
      !Contains(options_.extra_pids, entry.sample.pid)) {
    return;
  }
  if (entry.has_details && before_ > options_.read_per_frame && place < before_ &&
      (place + before_ - turn_) % before_ >= options_.read_per_frame) {
    return;
  }
  const bool keep = proc_.live && (entry.kept || kept_ < kept_most_);
  const size_t parts = 1 + before_ / kWholePerFrame;
  const int parent = entry.sample.parent;
  const bool was_gone = entry.gone;
  const uint64_t start = entry.sample.start_ticks;
  reader_.Read(entry, keep, (sequence_ + place) % parts == 0);
  if (entry.gone ? !was_gone : parent != 0 && parent != entry.sample.parent) tree_.Doubt();
  if (start != 0 && start != entry.sample.start_ticks) job_.Forget(entry.sample.pid);
  const bool open = entry.stat.open();
  kept_ += open && !entry.kept ? 1 : 0;
  kept_ -= !open && entry.kept ? 1 : 0;
  entry.kept = open;
  if (entry.gone) return;
  if ((options_.threads && wanted) || entry.sample.pid == watched_) {
    thread_reader_.Read(entry);
  } else if (!entry.sample.threads.empty()) {
    entry.sample.threads.clear();  // of when it was watched
    entry.threads.clear();
  }
}

void Processes::ReadListed(Frame& frame) {
  // Relatives of an earlier frame, should the card's probe have left them: they use no device.
  size_t used = 0;
  for (size_t i = 0; i < frame.processes.size(); ++i) {
    if (frame.processes[i].uses.empty()) continue;
    if (used != i) std::swap(frame.processes[used], frame.processes[i]);
    ++used;
  }
  SetProcessCount(frame, used);
  for (const ProcessSample& process : frame.processes) {
    ProcessEntry& entry = EntryOf(process.pid);
    ReadOne(entry, true);
    entry.holder = Judge(here_, has_device_nodes_, entry);
    entry.was_here = entry.was_here || entry.holder == Holder::kHere;
  }
}

bool Processes::IsLauncher(Tree::Node& node) {
  if (node.launcher) return *node.launcher;
  ++proc_.reads;
  const int error = buffer_.ReadFront(proc_.folder.get(), ShortPath(node.pid, "/cmdline").c_str(),
                                      kMostCommandLine);
  node.launcher = error == 0 && KindOf("", Arguments(buffer_.text())) == CommandKind::kLauncher;
  return *node.launcher;
}

// Adds to the roots the topmost launcher above each of them: torchrun's ranks belong together, also
// those that have not reached a device yet.
void Processes::FindLaunchers() {
  constexpr int kHighest = 12;
  const size_t count = roots_.size();
  for (size_t i = 0; i < count; ++i) {
    const Tree::Node* node = tree_.Find(roots_[i]);
    int launcher = 0;
    for (int height = 0; node != nullptr && height < kHighest; ++height) {
      Tree::Node* above = node->parent > 1 ? tree_.Find(node->parent) : nullptr;
      if (above != nullptr && IsLauncher(*above)) launcher = above->pid;
      node = above;
    }
    const auto begin = roots_.begin() + static_cast<ptrdiff_t>(count);
    if (launcher != 0 && std::find(begin, roots_.end(), launcher) == roots_.end()) {
      roots_.push_back(launcher);
    }
  }
}

void Processes::ReadRelatives(int last_pid) {
  roots_.clear();
  for (const ProcessEntry* entry : present_) {
    if (entry->holder == Holder::kHere) roots_.push_back(entry->sample.pid);
  }
  const size_t listed = roots_.size();
  roots_.insert(roots_.end(), options_.extra_pids.begin(), options_.extra_pids.end());
  if (job_.wanted()) {
    tree_.Update(last_pid, clock_.Mono(), 2 * options_.slow_seconds);
    job_.Update(tree_);
    const auto& members = job_.members();
    roots_.insert(roots_.end(), members.begin(), members.end());
  }
  if (roots_.empty()) return;
  if (options_.relatives) {
    FindRelatives(last_pid, listed);
  } else {
    found_.assign(roots_.begin() + static_cast<ptrdiff_t>(listed), roots_.end());
  }
  for (const int pid : found_) {
    if (Present(pid) != nullptr) continue;
    ProcessEntry& entry = EntryOf(pid);
    entry.holder = Holder::kHere;
    ReadOne(entry, false);
    if (!entry.gone && entry.sample.command) continue;  // else there was never such a process
    entry.seen_in = 0;
    present_.pop_back();
  }
  for (ProcessEntry* entry : present_) {
    entry->sample.in_job = entry->holder == Holder::kHere && job_.Has(entry->sample.pid);
  }
}

// What belongs to the roots, of which the first `listed` are the driver's.
void Processes::FindRelatives(int last_pid, size_t listed) {
  tree_.Update(last_pid, clock_.Mono(), 2 * options_.slow_seconds);
  // As long as neither the jobs nor the tree around them change, their relatives are the same.
  const bool joined = std::any_of(tree_.added().begin(), tree_.added().end(), [this](int pid) {
    const Tree::Node* node = tree_.Find(pid);
    return node != nullptr && std::binary_search(family_.begin(), family_.end(), node->parent);
  });
  tree_.ForgetAdded();
  if (!joined && tree_.version() == tree_before_ && roots_ == roots_before_) return;
  roots_before_ = roots_;
  tree_before_ = tree_.version();
  FindLaunchers();
  found_.clear();
  relatives_.Find(tree_, roots_, found_);
  // The roots that the driver does not list: what was asked for, and launchers.
  for (size_t i = listed; i < roots_.size(); ++i) {
    if (tree_.Has(roots_[i])) found_.push_back(roots_[i]);
  }
  std::sort(found_.begin(), found_.end());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  family_ = roots_;
  family_.insert(family_.end(), found_.begin(), found_.end());
  std::sort(family_.begin(), family_.end());
}

void Processes::AssignRoles() {
  for (ProcessEntry* entry : present_) {
    if (entry->holder == Holder::kOutside) continue;
    const ProcessEntry* parent = Present(entry->sample.parent);
    const ProcessEntry* grandparent = parent != nullptr ? Present(parent->sample.parent) : nullptr;
    entry->sample.role = RoleOf(entry->kin, parent != nullptr ? &parent->kin : nullptr,
                                grandparent != nullptr ? &grandparent->kin : nullptr);
  }
}

// Each process counts for all above it: a worker of the fork server is a grandchild.
void Processes::CountChildren() {
  if (!options_.relatives && !job_.wanted()) return;
  for (ProcessEntry* entry : present_) entry->children = entry->workers = 0;
  for (const ProcessEntry* entry : present_) {
    if (entry->holder != Holder::kHere) continue;
    constexpr int kDeepest = 64;  // more is a loop
    ProcessEntry* above = Present(entry->sample.parent);
    for (int depth = 0; depth < kDeepest && above != nullptr; ++depth) {
      ++above->children;
      above->workers += entry->sample.role == ProcessRole::kLoaderWorker ? 1 : 0;
      above = Present(above->sample.parent);
    }
  }
  for (ProcessEntry* entry : present_) {
    if (entry->holder != Holder::kHere) continue;
    entry->sample.fields[ProcessField::kChildren] = entry->children;
    entry->sample.fields[ProcessField::kLoaderWorkers] = entry->workers;
  }
}

void Processes::Forget() {
  if (entries_.size() == present_.size()) return;
  std::erase_if(entries_, [this](const auto& pair) {
    if (pair.second->seen_in == sequence_) return false;
    kept_ -= pair.second->kept ? 1 : 0;
    return true;
  });
}

void Processes::UseContainers() {
  for (ProcessEntry* entry : present_) {
    if (entry->container < 0) continue;
    if (entry->holder == Holder::kHere) {
      containers_->Use(entry->container, entry->sample.pid);
    } else {
      // Nobody uses it, so it may be forgotten; should the process be ours after all, it is
      // looked up again.
      entry->container = -1;
      entry->next_program = MonoTime{};
    }
  }
}

void Processes::Write(Frame& frame) {
  auto& out = frame.processes;
  const auto by_pid = [](const ProcessSample& a, const ProcessSample& b) { return a.pid < b.pid; };
  if (!std::is_sorted(out.begin(), out.end(), by_pid)) std::sort(out.begin(), out.end(), by_pid);
  const auto middle = present_.begin() + static_cast<ptrdiff_t>(listed_);
  if (!std::is_sorted(present_.begin(), middle, ByPid)) std::sort(present_.begin(), middle, ByPid);
  SetProcessCount(frame, present_.size());
  // Merges both sorted parts from the end, so that nothing is overwritten before it was moved; of a
  // sample only the uses must move, the rest is written anew.
  size_t listed = listed_;
  size_t related = present_.size();
  for (size_t to = present_.size(); to-- > 0;) {
    const bool take_listed =
        related == listed_ || (listed > 0 && ByPid(present_[related - 1], present_[listed - 1]));
    const ProcessEntry& entry = take_listed ? *present_[--listed] : *present_[--related];
    if (take_listed) {
      if (listed != to) std::swap(out[to].uses, out[listed].uses);
      out[to].pid = entry.sample.pid;
    } else {
      out[to].uses.clear();
    }
    Complete(entry, out[to]);
    const bool there = entry.holder == Holder::kHere && entry.container >= 0;
    out[to].container_index =
        there && containers_ != nullptr ? containers_->Position(entry.container) : -1;
  }
}

}  // namespace gpusight::host
