// SPDX-License-Identifier: Apache-2.0
// The recorder's questions whose answers are many values: field values, GPM, sample rings.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "probe/nvml/capture.h"
#include "probe/nvml/capture_text.h"
#include "probe/nvml/library.h"

namespace gpusight::nvml {

// Numbers as a JSON list.
template <typename Range>
[[nodiscard]] std::string ListText(const Range& range) {
  return fmt::format("[{}]", fmt::join(range, ", "));
}

// Every field from 1 to 300, and the scopes of those that have any.
void RecordFields(const Calls& calls, Device device, CapturedDevice& out);

// Every metric over options.gpm_seconds, of all devices (`handles`, null where there is none) and
// their MIG instances at once.
void RecordGpm(const Calls& calls, const std::vector<Device>& handles,
               const CaptureOptions& options, std::vector<CapturedDevice>& devices);

// Whole rings, oldest sample first.
void RecordRings(const Calls& calls, Device device, CapturedDevice& out);

}  // namespace gpusight::nvml
