// SPDX-License-Identifier: Apache-2.0
#include "model/finding_text.h"

#include <algorithm>
#include <cmath>

#include "model/text/diagnose_fixes.h"
#include "model/text/diagnose_rules.h"

namespace gpusight {
namespace {

std::string Tell(const Figure& figure) {
  if (!figure.word.empty()) return figure.word;
  if (!std::isfinite(figure.number)) return "?";
  if (figure.unit == Unit::kNumber || figure.unit == Unit::kCores) {
    // 1.7 times, 15 cores: a digit behind the point where it tells something.
    std::string number = fmt::format("{:.1f}", figure.number);
    if (number.ends_with(".0")) number.resize(number.size() - 2);
    return number;
  }
  return FormatValue(figure.unit, figure.number);
}

// Fills {} and {0} in their order; a text that asks for more than there is keeps a question mark,
// so that a recording of another version cannot break it.
std::string Fill(std::string_view text, const std::vector<Figure>& figures) {
  std::string out;
  size_t next = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      out += text[i];
      continue;
    }
    const size_t end = text.find('}', i);
    if (end == text.npos) return out;
    size_t index = next++;
    if (end == i + 2) index = static_cast<size_t>(text[i + 1] - '0');
    out += index < figures.size() ? Tell(figures[index]) : "?";
    i = end;
  }
  return out;
}

}  // namespace

Evidence Fact(FactKey key, std::vector<Figure> figures) {
  return {std::string(key.name), std::move(figures)};
}

std::string Tell(const Evidence& evidence, Language language) {
  if (const size_t at = text::FindFact(evidence.key); at < std::size(text::kFacts)) {
    return Fill(text::kFacts[at].text.In(language), evidence.figures);
  }
  std::string out = evidence.key;
  for (const Figure& figure : evidence.figures) out += " " + Tell(figure);
  return out;
}

std::string_view RuleTitle(std::string_view rule, Language language) {
  const text::RuleText* found = text::FindRule(rule);
  return found != nullptr ? found->title.In(language) : rule;
}

std::string Tell(const Finding& finding, Language language, size_t most) {
  std::string out(RuleTitle(finding.rule, language));
  const bool chinese = language == Language::kChinese;
  for (size_t i = 0; i < std::min(most, finding.evidence.size()); ++i) {
    out += i == 0 ? (chinese ? "：" : ": ") : (chinese ? "，" : ", ");
    out += Tell(finding.evidence[i], language);
  }
  return out;
}

std::vector<Fix> FixesFor(const Finding& finding, std::span<const Framework> used, bool all,
                          Language language) {
  std::vector<Fix> fixes;
  // A row of the finding's own form stands for the rows of no form.
  bool of_form = false;
  for (const text::FixText& row : text::kFixes) {
    of_form =
        of_form || (row.rule == finding.rule && !row.form.empty() && row.form == finding.form);
  }
  for (const text::FixText& row : text::kFixes) {
    if (row.rule != finding.rule) continue;
    if (of_form ? row.form != finding.form : !row.form.empty()) continue;
    const bool wanted = all || used.empty() || row.framework == Framework::kOther ||
                        std::find(used.begin(), used.end(), row.framework) != used.end();
    if (!wanted) continue;
    std::string code(row.code);
    for (size_t at = code.find("{n}"); at != code.npos; at = code.find("{n}", at)) {
      const std::string number =
          finding.proposal ? fmt::format("{:.0f}", *finding.proposal) : std::string("N");
      code.replace(at, 3, number);
    }
    fixes.push_back({row.framework, std::string(row.what.In(language)), std::move(code)});
  }
  return fixes;
}

}  // namespace gpusight
