// SPDX-License-Identifier: Apache-2.0
// The recorder behind `gpusight doctor --capture DIR`: asks the driver everything that gpusight
// ever asks, with every parameter, and writes what it answered as a scenario of the fake driver
// (testing/fake_nvml/README.md), so that somebody else's machine can be played in a test. UUIDs and
// process ids are replaced, the same one by the same one; names of processes, users and hosts are
// not recorded at all. Next: capture_device.h for what is asked, capture_text.h for what is
// written.
#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace gpusight::nvml {

struct CaptureOptions {
  std::string library;     // --nvml: a path; empty: the usual places
  std::string folder;      // is made if need be; gets scenario.json and one gpu-<n>.json a device
  double gpm_seconds = 1;  // between the two GPM samples
  double patience = 30;    // seconds for the driver to answer everything
  // Lets that much time pass; the program sleeps, a test moves its clock.
  std::function<void(double seconds)> wait;
};

// Takes about a quarter of a second a device and gpm_seconds once. The driver must not be in use by
// this process. kNoGpu when there is no driver or it does not start, kIo when the folder cannot be
// written, kTimeout when the driver hangs: a thread is then left inside it, and the clock and what
// `wait` refers to must live until the program ends.
[[nodiscard]] Result<void> Capture(const CaptureOptions& options, const Clock& clock);

}  // namespace gpusight::nvml
