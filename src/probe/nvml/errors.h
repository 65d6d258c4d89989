// SPDX-License-Identifier: Apache-2.0
// What the driver's return codes mean for us: a refusal is remembered and not asked again, a lost
// device ends the reading of that device only, a dead session means loading the driver anew.
// The sentences for people are in model/driver.h. Next: sources.h.
#pragma once

#include "model/frame.h"
#include "probe/nvml/abi.h"

namespace gpusight::nvml {

// The device (or this driver) does not have it; asking again gives the same answer.
[[nodiscard]] bool IsRefusal(Return code);

// The device itself has gone: nothing more can be asked of it.
[[nodiscard]] bool IsDeviceGone(Return code);

// The driver under us was unloaded, reloaded or exchanged: every handle is void.
[[nodiscard]] bool IsSessionLost(Return code);

// Why a value is missing when its call answered `code` (not kSuccess).
[[nodiscard]] Missing MissingOf(Return code);

// kLost, kNeedsReset, kNoPermission, …, for a code that a device answers instead of its handle.
[[nodiscard]] DeviceState DeviceStateOf(Return code);

// For the code that nvmlInit answered; kOk for kSuccess.
[[nodiscard]] DriverState DriverStateOf(Return code);

}  // namespace gpusight::nvml
