// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/nvml_probe.h"

namespace gpusight::nvml {

struct Probe::Impl {};

Probe::Probe(ProbeOptions, const Clock&, const Root&, Log&) : impl_(std::make_unique<Impl>()) {}
Probe::~Probe() = default;

void Probe::Sample(Frame& frame) { frame.driver.state = DriverState::kNoLibrary; }

}  // namespace gpusight::nvml
