// SPDX-License-Identifier: Apache-2.0
#include "probe/sampler.h"

#include <algorithm>

#include "model/account.h"

namespace gpusight {
namespace {

bool SharesMemory(const DeviceSample& device) {
  return device.info.unified_memory && device.state == DeviceState::kOk;
}

// A part that shares the host's memory has none of its own to report. What its processes hold is
// what they were given; what is left is what the host can still give.
void FillUnifiedMemory(Frame& frame) {
  for (DeviceSample& device : frame.devices) {
    if (!SharesMemory(device)) continue;
    device.fields[DeviceField::kMemoryTotal] = frame.host.fields[HostField::kMemoryTotal];
    device.fields[DeviceField::kMemoryFree] = frame.host.fields[HostField::kMemoryAvailable];
    device.fields[DeviceField::kMemoryUsed] = device.fields[DeviceField::kMemoryProcesses];
  }
  FillAccounts(frame);
}

}  // namespace

Sampler::Sampler(SamplerOptions options, const Clock& clock, Root root, Log& log)
    : options_(std::move(options)),
      clock_(clock),
      root_(std::move(root)),
      card_(options_.nvml, clock_, root_, log),
      host_(options_.host, clock_, root_, log),
      page_(options_.page, clock_, root_, log) {}

void Sampler::Sample(Frame& frame, MonoTime planned) {
  const MonoTime now = clock_.Mono();
  frame.sequence = ++sequence_;
  frame.time = clock_.Wall();
  frame.mono = now;
  frame.interval_seconds = sequence_ == 1 ? 0 : static_cast<double>(now - previous_) * 1e-9;
  previous_ = now;
  frame.events.clear();
  frame.probes.clear();

  // The driver takes tens of milliseconds to start.
  if (sequence_ == 1 && options_.host_facts) {
    if (!options_.nvml.start_early) card_.Ask();
    host_.Prepare(frame);
  }
  card_.Sample(frame);
  if (options_.host_facts) host_.Sample(frame);
  if (options_.pages) page_.Sample(frame);
  FillAccounts(frame);
  if (std::any_of(frame.devices.begin(), frame.devices.end(), SharesMemory)) {
    host_.ReadMemory(frame);
    FillUnifiedMemory(frame);
  }

  if (planned.ns != 0) {
    const double late = std::max(0.0, static_cast<double>(now - planned) * 1e-9);
    for (ProbeStats& probe : frame.probes) probe.lateness_seconds += late;
  }
  if (options_.finish) options_.finish(frame);
}

}  // namespace gpusight
