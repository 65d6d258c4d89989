// SPDX-License-Identifier: Apache-2.0
// Which processes a call speaks of.
#pragma once

#include "testing/fake_nvml/scenario.h"

namespace gpusight::fake {

// On the whole GPU (no instance given), or on that MIG instance.
[[nodiscard]] inline bool IsOn(const ProcessSpec& process, const MigInstance* mig) {
  return mig == nullptr || (process.gpu_instance == static_cast<int>(mig->gpu_instance) &&
                            process.compute_instance == static_cast<int>(mig->compute_instance));
}

}  // namespace gpusight::fake
