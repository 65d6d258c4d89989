// SPDX-License-Identifier: Apache-2.0
// A comparison for people and for programs. Next: compare.h.
#pragma once

#include <string>

#include "export/style.h"
#include "report/compare.h"

namespace gpusight::report {

// `a` and `b`: what the runs are called.
[[nodiscard]] std::string CompareText(const exporting::Style& style, const Comparisons& comparisons,
                                      const std::string& a, const std::string& b);
[[nodiscard]] std::string CompareMarkdown(const Comparisons& comparisons, const std::string& a,
                                          const std::string& b, Language language);
// Schema 1 (docs/compare.md).
void AppendCompareJson(std::string& out, const Comparisons& comparisons, const std::string& a,
                       const std::string& b);

}  // namespace gpusight::report
