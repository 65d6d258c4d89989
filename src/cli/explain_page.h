// SPDX-License-Identifier: Apache-2.0
// What `gpusight explain` found, as a page for people and as JSON. Pure.
#pragma once

#include <string>
#include <string_view>

#include "export/style.h"
#include "memory/oom_scanner.h"

namespace gpusight::cli {

inline constexpr int kExplainSchema = 1;

// `name`: what was read, for the first line. `all`: each failure by itself, with all evidence.
// There must be something in the scan.
[[nodiscard]] std::string ExplainPage(const exporting::Style& style, std::string_view name,
                                      const memory::OomScan& scan, bool all);

// "12345 lines, 1.2MiB"
[[nodiscard]] std::string ExtentOf(const memory::OomScan& scan, Language language);

// One object on one line, without its end.
void AppendExplainJson(std::string& out, std::string_view name, const memory::OomScan& scan,
                       bool all, Language language);

}  // namespace gpusight::cli
