// SPDX-License-Identifier: Apache-2.0
// `gpusight who --json`: the holders of each device. Its shape is a contract (docs/who.md). Pure.
#pragma once

#include <span>
#include <string>

#include "model/frame.h"

namespace gpusight::exporting {

inline constexpr int kWhoSchema = 1;

// Appends one object on one line, without '\n'.
void AppendWhoJson(std::string& out, const Frame& frame, std::span<const size_t> devices);

}  // namespace gpusight::exporting
