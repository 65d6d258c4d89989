// SPDX-License-Identifier: Apache-2.0
// The driver's state in words: one clear sentence, and what to do about it. The sentences are in
// text/driver.h. Next: frame.h for DriverInfo.
#pragma once

#include <string>

#include "base/language.h"
#include "model/frame.h"

// DriverInfo::code is NVML's return code; a negative one is the system's: -EMFILE when the driver
// could not be opened for want of file descriptors.

namespace gpusight {

// "The NVIDIA kernel driver is not loaded", without a full stop.
[[nodiscard]] std::string Describe(const DriverInfo& driver, Language language);

// "Load it with `sudo modprobe nvidia`; …"; empty when all is well.
[[nodiscard]] std::string RemedyFor(const DriverInfo& driver, Language language);

}  // namespace gpusight
