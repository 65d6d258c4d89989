// SPDX-License-Identifier: Apache-2.0
// The recorder's questions to the driver: every function of abi.h, with every parameter that means
// something. Runs on the caller's thread and may take as long as the driver takes.
#pragma once

#include "base/clock.h"
#include "probe/nvml/capture.h"
#include "probe/nvml/capture_text.h"
#include "probe/nvml/library.h"

namespace gpusight::nvml {

// The driver is initialised.
[[nodiscard]] Captured CaptureMachine(const Calls& calls, const CaptureOptions& options,
                                      const Clock& clock);

}  // namespace gpusight::nvml
