// SPDX-License-Identifier: Apache-2.0
#include "probe/host/host_probe.h"

#include "probe/cgroup/containers.h"
#include "probe/host/machine.h"
#include "probe/host/processes.h"
#include "probe/host/users.h"

namespace gpusight::host {

struct Probe::Impl {
  Impl(ProbeOptions probe_options, const Clock& the_clock, const Root& root)
      : options(std::move(probe_options)),
        clock(the_clock),
        proc(root),
        users(root),
        machine(root, proc, clock),
        containers(root),
        processes(options, root, proc, users, options.containers ? &containers : nullptr, clock) {}

  ProbeOptions options;
  const Clock& clock;
  ProcFolder proc;
  Users users;
  Machine machine;
  cgroup::Containers containers;
  Processes processes;
  MonoTime next_slow;
};

Probe::Probe(ProbeOptions options, const Clock& clock, const Root& root, Log&)
    : impl_(std::make_unique<Impl>(std::move(options), clock, root)) {}
Probe::~Probe() = default;

void Probe::Sample(Frame& frame) {
  Impl& self = *impl_;
  const MonoTime begin = self.clock.Mono();
  constexpr int64_t kSlowLane = 5'000'000'000;
  const bool slow = begin >= self.next_slow;
  if (slow) {
    self.next_slow = MonoTime{begin.ns + kSlowLane};
    self.users.Reload();
    self.processes.Refresh();
  }
  self.machine.Sample(frame.host);
  frame.host.sees_all_processes = self.processes.SeesAll();
  self.machine.PlaceDevices(frame.devices);
  self.processes.Read(frame, self.machine);
  if (self.options.containers) {
    self.processes.UseContainers();
    const int own = self.containers.FindOwn();
    if (own >= 0) self.containers.Use(own, 0);
    self.containers.Fill(slow, frame.containers);
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

void Probe::Watch(int pid) { impl_->processes.Watch(pid); }

}  // namespace gpusight::host
