// SPDX-License-Identifier: Apache-2.0
// The reasons for missing values as a recording writes them. Words are a contract: added, never
// changed. Next: schema.h.
#pragma once

#include <string_view>

#include "model/known.h"

namespace gpusight::record {

// "not_supported", …
[[nodiscard]] std::string_view ReasonName(Absence why);
// kNotAsked for a word that we do not know.
[[nodiscard]] Absence ParseReason(std::string_view name);

}  // namespace gpusight::record
