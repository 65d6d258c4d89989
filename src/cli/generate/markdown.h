// SPDX-License-Identifier: Apache-2.0
// The tables of docs/ that are made from the code. A test compares them with the pages, between
// "<!-- generated: TOPIC -->" and "<!-- end -->". Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/surface.h"

namespace gpusight::cli {

// Topics: "metrics-device", "metrics-use", "metrics-process", "metrics-container",
// "metrics-host", "metrics-framework", "metrics-allocator", "exit-codes", "configuration",
// "options-global", "options-<command>",
// "memory-flags-paddle", "memory-flags-other", "allocator-keys",
// "recording-tables", "recording-columns", "recording-views",
// "diagnosis-rules", "diagnosis-limits", "diagnosis-signals".
[[nodiscard]] Result<std::string> Markdown(std::string_view topic, const Surface& surface,
                                           Language language);

}  // namespace gpusight::cli
