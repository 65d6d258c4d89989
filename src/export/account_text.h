// SPDX-License-Identifier: Apache-2.0
// The memory account of a device for people: numbers that were rounded so that they still add up
// as they stand on the screen. Pure. Next: ../model/account.h for the exact one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "export/footnotes.h"
#include "export/style.h"
#include "model/account.h"

namespace gpusight::exporting {

// Rounds parts to whole numbers that add up to `total`, which differs from their sum by less than
// 1: each goes down, and what is missing goes to those that lost most.
[[nodiscard]] std::vector<int64_t> RoundToSum(std::span<const double> parts, int64_t total);

// The lines, without indentation or '\n':
//   "used 12.40 = processes 12.00 + residual 0.40  (GiB)"
//   "total 16.00 = used 12.40 + free 3.00 + driver 0.60"
// A part that is not known reads "n/a" and leaves a note.
[[nodiscard]] std::vector<std::string> AccountLines(const Style& style, const Account& account,
                                                    int room, Footnotes& notes);

}  // namespace gpusight::exporting
