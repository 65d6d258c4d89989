// SPDX-License-Identifier: Apache-2.0
#include "probe/host/host_probe.h"

#include <algorithm>
#include <unordered_map>

#include "probe/cgroup/containers.h"
#include "probe/host/machine.h"
#include "probe/host/process_reader.h"
#include "probe/host/relatives.h"
#include "probe/host/threads.h"
#include "probe/host/translation.h"
#include "probe/host/tree.h"
#include "probe/host/users.h"

namespace gpusight::host {
namespace {

// Everything of `from` goes into `to` but what the card's probe knows.
void Complete(const ProcessSample& from, ProcessSample& to) {
  std::vector<GpuUse> uses = std::move(to.uses);
  to = from;
  to.uses = std::move(uses);
}

}  // namespace

struct Probe::Impl {
  Impl(ProbeOptions probe_options, const Clock& the_clock, const Root& the_root, Log& the_log)
      : options(std::move(probe_options)),
        clock(the_clock),
        root(the_root),
        log(the_log),
        proc(root),
        users(root),
        containers(root),
        machine(root, proc, clock),
        tree(proc),
        reader(proc, users, options.containers ? &containers : nullptr, clock),
        thread_reader(proc, clock),
        here(FindNamespace(proc)) {}

  ProcessEntry& EntryOf(int pid);
  void SampleProcess(ProcessSample& process, bool listed);
  void AddRelatives(Frame& frame);
  void AssignRoles(Frame& frame);
  void CountChildren(Frame& frame);
  void FillContainers(Frame& frame, bool limits);
  void Forget();

  ProbeOptions options;
  int watched = 0;
  const Clock& clock;
  const Root& root;
  Log& log;
  ProcFolder proc;
  Users users;
  cgroup::Containers containers;
  Machine machine;
  Tree tree;
  ProcessReader reader;
  ThreadReader thread_reader;
  Namespace here;
  Relatives relatives;

  std::unordered_map<int, std::unique_ptr<ProcessEntry>> entries;
  std::vector<int> roots, added;
  uint64_t sequence = 0;
  size_t kept = 0;
  MonoTime next_limits;
  uint64_t failures = 0;
};

ProcessEntry& Probe::Impl::EntryOf(int pid) {
  auto& entry = entries[pid];
  if (!entry) {
    entry = std::make_unique<ProcessEntry>();
    entry->sample.pid = pid;
  }
  entry->seen_in = sequence;
  return *entry;
}

void Probe::Impl::SampleProcess(ProcessSample& process, bool listed) {
  ProcessEntry& entry = EntryOf(process.pid);
  entry.kin.on_device = listed;
  const bool keep = proc.live && kept < options.kept_processes;
  kept += keep ? 1 : 0;
  reader.Read(entry, keep);
  const Holder holder = listed ? Judge(here, entry) : Holder::kHere;
  entry.was_here = entry.was_here || (listed && holder == Holder::kHere);
  if (holder == Holder::kHere) {
    const auto& extra = options.extra_pids;
    const bool wanted = listed || std::find(extra.begin(), extra.end(), process.pid) != extra.end();
    if ((options.threads && wanted) || process.pid == watched) {
      thread_reader.Read(entry);
    } else {
      entry.sample.threads.clear();  // of when it was watched
    }
    if (entry.container >= 0) containers.Use(entry.container);
  }
  Complete(entry.sample, process);
  if (holder == Holder::kOutside) DescribeOutsider(process);
  if (holder == Holder::kEnded) DescribeEnded(process);
}

void Probe::Impl::AddRelatives(Frame& frame) {
  roots.clear();
  for (const ProcessSample& process : frame.processes) {
    if (process.translated && !process.zombie) roots.push_back(process.pid);
  }
  for (const int pid : options.extra_pids) roots.push_back(pid);
  if (roots.empty()) return;
  tree.Update(machine.last_pid(), clock.Mono());
  added.clear();
  if (options.relatives) relatives.Find(tree, roots, added);
  for (const int pid : options.extra_pids) {
    if (tree.Has(pid)) added.push_back(pid);
  }
  std::sort(added.begin(), added.end());
  added.erase(std::unique(added.begin(), added.end()), added.end());
  const size_t listed = frame.processes.size();
  for (const int pid : added) {
    const auto same = [pid](const ProcessSample& process) { return process.pid == pid; };
    const auto end = frame.processes.begin() + static_cast<ptrdiff_t>(listed);
    if (std::find_if(frame.processes.begin(), end, same) != end) continue;
    frame.processes.emplace_back();
    frame.processes.back().pid = pid;
    SampleProcess(frame.processes.back(), false);
    if (entries[pid]->gone) frame.processes.pop_back();
  }
}

void Probe::Impl::AssignRoles(Frame& frame) {
  const auto kin_of = [&](int pid) -> const ProcessEntry* {
    const auto found = entries.find(pid);
    return found != entries.end() && found->second->seen_in == sequence ? found->second.get()
                                                                        : nullptr;
  };
  for (ProcessSample& process : frame.processes) {
    const ProcessEntry* self = kin_of(process.pid);
    if (self == nullptr || !process.translated) continue;
    const ProcessEntry* parent = kin_of(process.parent);
    const ProcessEntry* grandparent = parent != nullptr ? kin_of(parent->sample.parent) : nullptr;
    process.role = RoleOf(self->kin, parent != nullptr ? &parent->kin : nullptr,
                          grandparent != nullptr ? &grandparent->kin : nullptr);
  }
}

// Each process counts for itself and for all above it: a worker of the fork server is a grandchild.
void Probe::Impl::CountChildren(Frame& frame) {
  if (!options.relatives) return;
  for (ProcessSample& process : frame.processes) {
    const auto found = entries.find(process.pid);
    if (found != entries.end()) found->second->children = found->second->workers = 0;
  }
  for (const ProcessSample& process : frame.processes) {
    if (!process.translated || process.zombie) continue;
    int above = process.parent;
    constexpr int kDeepest = 64;  // more is a loop
    for (int depth = 0; depth < kDeepest; ++depth) {
      const auto found = entries.find(above);
      if (found == entries.end()) break;
      ProcessEntry& entry = *found->second;
      ++entry.children;
      entry.workers += process.role == ProcessRole::kLoaderWorker ? 1 : 0;
      above = entry.sample.parent;
    }
  }
  for (ProcessSample& process : frame.processes) {
    if (!process.translated || process.zombie) continue;
    const ProcessEntry& entry = *entries[process.pid];
    process.fields[ProcessField::kChildren] = entry.children;
    process.fields[ProcessField::kLoaderWorkers] = entry.workers;
  }
}

void Probe::Impl::FillContainers(Frame& frame, bool limits) {
  if (!options.containers) {
    frame.containers.clear();
    return;
  }
  const int own = containers.FindOwn();
  if (own >= 0) containers.Use(own);
  containers.Fill(limits, frame.containers);
  for (ProcessSample& process : frame.processes) {
    const auto found = entries.find(process.pid);
    process.container_index = -1;
    if (found == entries.end() || !process.translated || process.zombie) continue;
    if (found->second->container < 0) continue;
    process.container_index = containers.Position(found->second->container);
  }
}

void Probe::Impl::Forget() {
  std::erase_if(entries, [this](const auto& pair) { return pair.second->seen_in != sequence; });
}

Probe::Probe(ProbeOptions options, const Clock& clock, const Root& root, Log& log)
    : impl_(std::make_unique<Impl>(std::move(options), clock, root, log)) {}
Probe::~Probe() = default;

void Probe::Watch(int pid) { impl_->watched = pid; }

void Probe::Sample(Frame& frame) {
  Impl& self = *impl_;
  const MonoTime begin = self.clock.Mono();
  ++self.sequence;
  self.kept = 0;
  self.machine.Sample(frame.host);
  self.machine.PlaceDevices(frame.devices);
  self.reader.set_boot_time(self.machine.boot_time());
  for (ProcessSample& process : frame.processes) self.SampleProcess(process, true);
  self.AddRelatives(frame);
  self.AssignRoles(frame);
  self.CountChildren(frame);
  const bool limits = begin >= self.next_limits;
  if (limits) {
    self.next_limits = MonoTime{begin.ns + 5'000'000'000};
    self.users.Reload();
  }
  self.FillContainers(frame, limits);
  self.Forget();

  ProbeStats& stats = frame.probes.emplace_back();
  stats.name = "host";
  stats.duration_seconds = static_cast<double>(self.clock.Mono() - begin) * 1e-9;
  stats.failures = self.failures;
  stats.calls = self.proc.reads + self.containers.reads();
}

}  // namespace gpusight::host
