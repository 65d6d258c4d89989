// SPDX-License-Identifier: Apache-2.0
// The fake driver's scenario reader, and the tracks of whatever it accepts.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "testing/fake_nvml/device_read.h"
#include "testing/fake_nvml/scenario.h"

namespace {

using gpusight::fake::Track;

void Follow(const Track& track) {
  for (const double time : {-1e6, 0.0, 0.05, 3.7, 1e9}) {
    (void)gpusight::fake::NumberOf<uint64_t>(track.At(time));
    (void)gpusight::fake::NumberOf<uint32_t>(track.Mean(time - 1, time));
    (void)track.Integral(time);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // A scenario that builds on another one gets itself: the depth limit must hold.
  const auto itself = [&](const std::string&) -> gpusight::Result<std::string> {
    return std::string(text);
  };
  const auto scenario = gpusight::fake::ParseScenario(text, "fuzz", itself);
  if (!scenario) return 0;
  for (const auto& device : scenario->devices) {
    for (const Track& track : device.tracks) Follow(track);
    for (const auto& process : device.processes) Follow(process.memory);
    for (const auto& [key, entry] : device.answers) {
      for (const auto& moving : entry.moving) Follow(moving.track);
    }
  }
  return 0;
}
