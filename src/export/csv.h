// SPDX-License-Identifier: Apache-2.0
// Cells of a CSV (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace gpusight::exporting {

// Appends `cell`, quoted where it must be. Control characters are replaced: a line stays a line,
// and the file is safe to print.
void AppendCsvCell(std::string& out, std::string_view cell);

}  // namespace gpusight::exporting
