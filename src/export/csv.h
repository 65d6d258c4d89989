// SPDX-License-Identifier: Apache-2.0
// Cells of a CSV (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace gpusight::exporting {

// Appends `cell`, quoted where it must be. Control characters are replaced: a line stays a line,
// and the file is safe to print. Text that begins with one of = + - @ gets a ' in front, so that a
// spreadsheet takes it for text; numbers are not written by this.
void AppendCsvCell(std::string& out, std::string_view cell);

}  // namespace gpusight::exporting
