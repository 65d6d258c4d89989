// SPDX-License-Identifier: Apache-2.0
#include "record/run_facts.h"

#include "model/finding_text.h"

namespace gpusight::record {

std::string Headline(const FindingRow& row, Language language) {
  const Finding& finding = row.finding;
  const bool known = RuleTitle(finding.rule, language) != finding.rule;
  if (known && !finding.evidence.empty()) return Tell(finding, language);
  const std::string& told =
      language == Language::kChinese && !row.chinese.empty() ? row.chinese : row.english;
  return told.empty() ? Tell(finding, language) : told;
}

}  // namespace gpusight::record
