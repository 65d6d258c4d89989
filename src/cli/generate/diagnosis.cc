// SPDX-License-Identifier: Apache-2.0
#include "cli/generate/diagnosis.h"

#include <fmt/format.h>

#include "cli/generate/table.h"
#include "diagnose/rule.h"
#include "model/catalog.h"
#include "model/text/diagnose_rules.h"
#include "model/text/man.h"
#include "model/text/why.h"

namespace gpusight::cli {

std::string DiagnosisRules(Language language) {
  std::string out = TableHeader(
      language, {text::kWhyDocsRule, text::kWhyDocsId, text::kDocsMeaning, text::kWhyDocsHold});
  for (const text::RuleText& row : text::kRules) {
    const diagnose::Rule* rule = diagnose::FindRule(row.name);
    if (rule == nullptr && !row.name.starts_with("none.")) continue;
    const std::string hold =
        rule == nullptr || rule->hold == 0 ? "–" : fmt::format("{:.0f}s", rule->hold);
    out += fmt::format("| `{}` | {} | {} | {} |\n", row.name, row.id.empty() ? "–" : row.id,
                       TableCell(row.title.In(language)), hold);
  }
  return out;
}

std::string DiagnosisLimits(Language language) {
  std::string out = TableHeader(
      language, {text::kDocsName, text::kWhyDocsValue, text::kDocsUnit, text::kDocsMeaning});
  for (const diagnose::LimitRow& row : diagnose::LimitRows()) {
    out +=
        fmt::format("| `{}` | {} {:g} | {} | {} |\n", row.name, row.at_least ? "≥" : "≤", row.value,
                    Say(language, UnitName(row.unit)), TableCell(Say(language, row.meaning)));
  }
  return out;
}

std::string DiagnosisSignals(Language language) {
  std::string out = TableHeader(language, {text::kDocsName, text::kDocsUnit, text::kDocsMeaning});
  for (size_t i = 0; i < diagnose::kSignals; ++i) {
    const diagnose::SignalRow& row = diagnose::Row(static_cast<diagnose::Signal>(i));
    out += fmt::format("| `{}` | {} | {} |\n", row.name, Say(language, UnitName(row.unit)),
                       TableCell(Say(language, row.meaning)));
  }
  return out;
}

}  // namespace gpusight::cli
