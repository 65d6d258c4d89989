// SPDX-License-Identifier: Apache-2.0
#include "probe/sampler.h"

#include <algorithm>

#include "model/account.h"

namespace gpusight {

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

  if (planned.ns != 0 && !frame.probes.empty()) {
    const double late = std::max(0.0, static_cast<double>(now - planned) * 1e-9);
    for (ProbeStats& probe : frame.probes) probe.lateness_seconds += late;
  }
}

}  // namespace gpusight
