// SPDX-License-Identifier: Apache-2.0
// The recorder's questions about processes: all generations of all lists, as bytes, and their use.
#pragma once

#include "base/clock.h"
#include "probe/nvml/capture_text.h"
#include "probe/nvml/library.h"

namespace gpusight::nvml {

// Fills out.processes; `record_bytes[g]` gets the stride that generation g wrote, if it wrote any.
void RecordProcesses(const Calls& calls, Device device, const Clock& clock, CapturedDevice& out,
                     uint32_t (&record_bytes)[4]);

}  // namespace gpusight::nvml
