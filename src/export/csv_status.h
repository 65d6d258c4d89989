// SPDX-License-Identifier: Apache-2.0
// `gpusight status --csv`: one line per device, every device metric of the catalogue a column.
// Unknown values are empty cells; their reasons stand in the last column. Pure.
#pragma once

#include <span>
#include <string>

#include "model/frame.h"

namespace gpusight::exporting {

// The header line. Columns are only ever added, before the last one.
[[nodiscard]] std::string StatusCsvHeader();

// One line per device at those positions in frame.devices.
void AppendStatusCsv(std::string& out, const Frame& frame, std::span<const size_t> devices);

}  // namespace gpusight::exporting
