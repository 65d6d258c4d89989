// SPDX-License-Identifier: Apache-2.0
// A diagnosis as a page for people and as JSON. Pure. Next: why.cc; docs/why.md has the JSON.
#pragma once

#include <string>

#include "export/style.h"
#include "model/finding.h"

namespace gpusight::cli {

inline constexpr int kWhySchema = 1;

// `all_fixes`: of all frameworks, not only of those in use.
[[nodiscard]] std::string WhyPage(const exporting::Style& style, const Diagnosis& diagnosis,
                                  bool all_fixes);

// The verdict in one sentence: "the loader waits for the disk: GPU idle 58%, …".
[[nodiscard]] std::string VerdictSentence(const Diagnosis& diagnosis, Language language);

// The verdict's sentence and what it costs, as the two lines with which a run ends; without an end.
[[nodiscard]] std::string WhyLines(const exporting::Style& style, const Diagnosis& diagnosis);

// One object on one line, without its end.
void AppendWhyJson(std::string& out, const Diagnosis& diagnosis, bool all_fixes, Language language);

}  // namespace gpusight::cli
