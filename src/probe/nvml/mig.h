// SPDX-License-Identifier: Apache-2.0
// MIG: a GPU divided into instances, each with its own UUID, memory, processes and GPM counters.
// They are devices like others and follow their GPU in the list. What only the GPU as a whole has
// (power, clocks, …) stays with it; utilisation has neither while MIG is on. Next: gpm.h.
#pragma once

#include <memory>
#include <vector>

#include "model/event.h"
#include "probe/nvml/gpu.h"
#include "probe/nvml/pass.h"

namespace gpusight::nvml {

// Adds the instances of every GPU that has MIG on, and takes out those that are no more.
void ScanMig(Pass& pass, std::vector<std::unique_ptr<Gpu>>& gpus, std::vector<Event>& events);

}  // namespace gpusight::nvml
