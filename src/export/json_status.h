// SPDX-License-Identifier: Apache-2.0
// A frame as the JSON of `gpusight status --json`. The shape is a contract: docs/json-status.md
// describes it, docs/json-status.schema.json checks it, and its "schema" number grows when
// something is removed or changes its meaning (not when something is added).
#pragma once

#include <span>
#include <string>

#include "export/json.h"
#include "model/frame.h"

namespace gpusight::exporting {

inline constexpr int kStatusSchema = 1;

// Appends one object on one line, without '\n', with the devices at those positions in
// frame.devices.
void AppendStatusJson(std::string& out, const Frame& frame, std::span<const size_t> devices);

// The member "driver": its state, and why nothing can be measured where that is so.
void WriteDriver(JsonWriter& json, const DriverInfo& driver);

// The members that say who a process is, into the current object; `who` shares them.
void WriteProcessIdentity(JsonWriter& json, const Frame& frame, const ProcessSample& process);

}  // namespace gpusight::exporting
