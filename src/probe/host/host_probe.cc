// SPDX-License-Identifier: Apache-2.0
#include "probe/host/host_probe.h"

#include <optional>
#include <utility>

#include "probe/cgroup/containers.h"
#include "probe/host/machine.h"
#include "probe/host/processes.h"
#include "probe/host/users.h"

namespace gpusight::host {
namespace {

constexpr int64_t kSlowLane = 10'000'000'000;  // nanoseconds

}  // namespace

struct Probe::Impl {
  Impl(ProbeOptions probe_options, const Clock& the_clock, const Root& root)
      : options(std::move(probe_options)),
        clock(the_clock),
        proc(root),
        users(root),
        machine(root, proc, clock),
        containers(root),
        processes(options, root, proc, users, options.containers ? &containers : nullptr, clock) {}

  void Begin(Frame& frame);

  ProbeOptions options;
  const Clock& clock;
  ProcFolder proc;
  Users users;
  Machine machine;
  cgroup::Containers containers;
  Processes processes;
  MonoTime next_slow;
  bool slow = false;
  std::optional<int64_t> prepared;  // the nanoseconds that Prepare() took
};

Probe::Probe(ProbeOptions options, const Clock& clock, const Root& root, Log&)
    : impl_(std::make_unique<Impl>(std::move(options), clock, root)) {}
Probe::~Probe() = default;

void Probe::Impl::Begin(Frame& frame) {
  const MonoTime now = clock.Mono();
  slow = now >= next_slow;
  if (slow) {
    next_slow = MonoTime{now.ns + kSlowLane};
    users.Reload();
    processes.Refresh();
  }
  machine.Sample(frame.host, options.machine, options.slow_seconds);
  frame.host.sees_all_processes = processes.SeesAll();
}

void Probe::Prepare(Frame& frame) {
  Impl& self = *impl_;
  const MonoTime begin = self.clock.Mono();
  self.Begin(frame);
  self.processes.Prepare(self.machine.last_pid());
  self.prepared = self.clock.Mono() - begin;
}

void Probe::Sample(Frame& frame) {
  Impl& self = *impl_;
  const MonoTime begin{self.clock.Mono().ns - self.prepared.value_or(0)};
  if (!std::exchange(self.prepared, std::nullopt)) self.Begin(frame);
  self.machine.PlaceDevices(frame.devices);
  self.processes.Read(frame, self.machine);
  if (self.options.containers) {
    self.processes.UseContainers();
    const int own = self.containers.FindOwn();
    if (own >= 0) self.containers.Use(own, 0);
    using cgroup::Facts;
    const Facts facts = self.slow                  ? Facts::kLimits
                        : self.machine.was_whole() ? Facts::kUse
                                                   : Facts::kQuick;
    self.containers.Fill(self.options.container_facts ? facts : Facts::kNone, frame.containers);
  } else {
    frame.containers.clear();
  }
  self.processes.Write(frame);

  ProbeStats& stats = frame.probes.emplace_back();
  stats.name = "host";
  stats.failures = self.proc.failures;
  stats.rejected = self.proc.rejected;
  stats.calls = self.proc.reads + self.containers.reads();
  stats.duration_seconds = static_cast<double>(self.clock.Mono() - begin) * 1e-9;
}

void Probe::ReadMemory(Frame& frame) { impl_->machine.ReadMemory(frame.host.fields); }

void Probe::Watch(int pid) { impl_->processes.Watch(pid); }

}  // namespace gpusight::host
