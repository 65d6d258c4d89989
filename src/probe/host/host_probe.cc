// SPDX-License-Identifier: Apache-2.0
#include "probe/host/host_probe.h"

namespace gpusight::host {

struct Probe::Impl {};

Probe::Probe(ProbeOptions, const Clock&, const Root&, Log&) : impl_(std::make_unique<Impl>()) {}
Probe::~Probe() = default;

void Probe::Sample(Frame&) {}

}  // namespace gpusight::host
