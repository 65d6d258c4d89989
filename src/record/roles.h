// SPDX-License-Identifier: Apache-2.0
// Roles of processes, types of marks and frameworks as a recording writes them. Words are a
// contract: added, never changed. Next: schema.h.
#pragma once

#include <string_view>

#include "model/event.h"
#include "model/frame.h"

namespace gpusight::record {

[[nodiscard]] std::string_view RoleName(ProcessRole role);
[[nodiscard]] ProcessRole ParseRole(std::string_view name);
[[nodiscard]] MarkType ParseMark(std::string_view name);
[[nodiscard]] Framework ParseFramework(std::string_view name);
// False for a word that we do not know.
[[nodiscard]] bool ParseEvent(std::string_view name, EventType& type);

}  // namespace gpusight::record
