// SPDX-License-Identifier: Apache-2.0
// The evidence of a finding as JSON, for the recording: keys and numbers with their units, so that
// it can be told in either language later, and read by other programs:
//   [{"key":"gpu_idle","figures":[{"number":0.62,"unit":"ratio"}]}, …]
// What comes back is somebody else's word: it is bounded, and what is not understood is left out.
// Pure. Next: ../model/finding.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"

namespace gpusight::record {

[[nodiscard]] std::string EvidenceJson(std::span<const Evidence> evidence);
[[nodiscard]] std::vector<Evidence> ReadEvidence(std::string_view json);

// ["a","b"]
[[nodiscard]] std::string WordsJson(std::span<const std::string> words);
[[nodiscard]] std::vector<std::string> ReadWords(std::string_view json);

// "info", "warning", "critical".
[[nodiscard]] std::string_view LevelName(FindingLevel level);
[[nodiscard]] FindingLevel LevelOf(std::string_view name);

}  // namespace gpusight::record
