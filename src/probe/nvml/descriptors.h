// SPDX-License-Identifier: Apache-2.0
// Whether a failure of the driver is only this process's lack of file descriptors: the driver then
// says that it is not loaded, or that it knows no reason, because none of its nodes can be opened.
// Next: connection.h.
#pragma once

#include <cerrno>

#include "probe/nvml/abi.h"

namespace gpusight::nvml {

// Stands for the driver's own code then (DriverInfo::code, see model/driver.h).
inline constexpr auto kNoDescriptors = static_cast<Return>(-EMFILE);

// Whether a driver that cannot open its files may have answered so.
[[nodiscard]] bool MayLackDescriptors(Return code);

// Whether fewer descriptors are left than the driver's library needs for itself.
[[nodiscard]] bool FewDescriptorsLeft();

}  // namespace gpusight::nvml
