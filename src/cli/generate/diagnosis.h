// SPDX-License-Identifier: Apache-2.0
// The tables of docs/diagnosis.md, made from the registry of rules. Pure. Next: markdown.h.
#pragma once

#include <string>

#include "base/language.h"

namespace gpusight::cli {

[[nodiscard]] std::string DiagnosisRules(Language language);
[[nodiscard]] std::string DiagnosisLimits(Language language);
[[nodiscard]] std::string DiagnosisSignals(Language language);

}  // namespace gpusight::cli
