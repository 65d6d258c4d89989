// SPDX-License-Identifier: Apache-2.0
// The words by which enumerations of the model appear in JSON and CSV. They are a contract
// (docs/json-status.md): add words, never change one.
#pragma once

#include <string_view>

#include "model/frame.h"

namespace gpusight::exporting {

[[nodiscard]] std::string_view Name(DeviceState state);
[[nodiscard]] std::string_view Name(DriverState state);
[[nodiscard]] std::string_view Name(ProcessRole role);
[[nodiscard]] std::string_view Name(UseType type);

// Why the driver did not tell what does not change: mostly because it has no such call, but a
// device that cannot be asked has its own reason.
[[nodiscard]] Absence WhyUntold(DeviceState state);

}  // namespace gpusight::exporting
