// SPDX-License-Identifier: Apache-2.0
// The recorder's questions whose answers are many values: field values, GPM, sample rings.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "base/clock.h"
#include "probe/nvml/capture.h"
#include "probe/nvml/capture_text.h"
#include "probe/nvml/library.h"

namespace gpusight::nvml {

// Numbers as a JSON list.
template <typename Range>
[[nodiscard]] std::string ListText(const Range& range) {
  return fmt::format("[{}]", fmt::join(range, ", "));
}

// How long one call took, as the start of an answer's members: "\"us\": 1.5, " or nothing.
class Stopwatch {
 public:
  explicit Stopwatch(const Clock& clock) : clock_(clock), start_(clock.Mono()) {}
  [[nodiscard]] std::string Members() const {
    const auto us = static_cast<double>(clock_.Mono() - start_) * 1e-3;
    return us > 0 ? fmt::format("\"us\": {:.1f}, ", us) : "";
  }

 private:
  const Clock& clock_;
  MonoTime start_;
};

[[nodiscard]] inline std::string CodeText(Return code) {
  return fmt::format("\"code\": {}", static_cast<int>(code));
}

// Every field from 1 to 300, and the scopes of those that have any.
void RecordFields(const Calls& calls, Device device, CapturedDevice& out);

// Every metric over options.gpm_seconds, of all devices (`handles`, null where there is none) and
// their MIG instances at once.
void RecordGpm(const Calls& calls, const std::vector<Device>& handles,
               const CaptureOptions& options, const Clock& clock,
               std::vector<CapturedDevice>& devices);

// Whole rings, oldest sample first.
void RecordRings(const Calls& calls, Device device, const Clock& clock, CapturedDevice& out);

}  // namespace gpusight::nvml
