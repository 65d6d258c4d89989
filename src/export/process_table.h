// SPDX-License-Identifier: Apache-2.0
// The table of processes on the status page: one row for each device that a process uses, the
// largest user first. Pure.
#pragma once

#include <span>
#include <string>

#include "export/footnotes.h"
#include "export/style.h"
#include "model/frame.h"

namespace gpusight::exporting {

// Of the devices at those positions. "" when no process uses them.
[[nodiscard]] std::string ProcessTable(const Style& style, const Frame& frame,
                                       std::span<const size_t> devices, Footnotes& notes);

// The pieces, which `who` shares: who the process is as one text, and when it started ("10:00"
// within a day of `now`, else "04-05 10:00").
[[nodiscard]] std::string CommandText(const Style& style, const ProcessSample& process);
[[nodiscard]] std::string SinceText(WallTime now, double start_seconds);

}  // namespace gpusight::exporting
