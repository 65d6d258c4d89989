// SPDX-License-Identifier: Apache-2.0
// A report as JSON, schema 1 (docs/report.md): what `report --json` prints and what the page shows.
// Every null has its reason in the member "unknown" of the same object. Next: json_parts.h.
#pragma once

#include <string>

#include "report/model.h"

namespace gpusight::report {

inline constexpr int kJsonSchema = 1;

void AppendJson(std::string& out, const Report& report);

}  // namespace gpusight::report
