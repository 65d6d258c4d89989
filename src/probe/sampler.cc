// SPDX-License-Identifier: Apache-2.0
#include "probe/sampler.h"

#include <algorithm>

#include "model/account.h"

namespace gpusight {
namespace {

// A part that shares the host's memory has none of its own to report. What its processes hold is
// what they were given; what is left is what the host can still give.
void FillUnifiedMemory(Frame& frame) {
  bool any = false;
  for (DeviceSample& device : frame.devices) {
    if (!device.info.unified_memory || device.state != DeviceState::kOk) continue;
    any = true;
    device.fields[DeviceField::kMemoryTotal] = frame.host.fields[HostField::kMemoryTotal];
    device.fields[DeviceField::kMemoryFree] = frame.host.fields[HostField::kMemoryAvailable];
    device.fields[DeviceField::kMemoryUsed] = device.fields[DeviceField::kMemoryProcesses];
  }
  if (any) FillAccounts(frame);
}

}  // namespace

Sampler::Sampler(SamplerOptions options, const Clock& clock, Root root, Log& log)
    : options_(std::move(options)),
      clock_(clock),
      root_(std::move(root)),
      card_(options_.nvml, clock_, root_, log),
      host_(options_.host, clock_, root_, log) {}

void Sampler::Sample(Frame& frame, MonoTime planned) {
  const MonoTime now = clock_.Mono();
  frame.sequence = ++sequence_;
  frame.time = clock_.Wall();
  frame.mono = now;
  frame.interval_seconds = sequence_ == 1 ? 0 : static_cast<double>(now - previous_) * 1e-9;
  previous_ = now;
  frame.events.clear();
  frame.probes.clear();

  card_.Sample(frame);
  if (options_.host_facts) host_.Sample(frame);
  FillAccounts(frame);
  if (options_.host_facts) FillUnifiedMemory(frame);

  if (planned.ns != 0) {
    const double late = std::max(0.0, static_cast<double>(now - planned) * 1e-9);
    for (ProbeStats& probe : frame.probes) probe.lateness_seconds += late;
  }
}

}  // namespace gpusight
