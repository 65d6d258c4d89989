// SPDX-License-Identifier: Apache-2.0
#include "cli/why_page.h"

#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "export/json.h"
#include "export/wrap.h"
#include "model/finding_text.h"
#include "model/text/why.h"
#include "record/finding_json.h"

namespace gpusight::cli {
namespace {

using exporting::Tone;

std::string Times(double speedup) { return fmt::format("{:.1f}", speedup); }

class Page {
 public:
  Page(const exporting::Style& style, const Diagnosis& diagnosis, bool all_fixes)
      : style_(style), diagnosis_(diagnosis), all_fixes_(all_fixes) {}

  std::string Make() {
    out_ = Capital(VerdictSentence(diagnosis_, style_.language));
    out_ = exporting::Wrap(out_, style_.columns, 0);
    out_ = exporting::Paint(style_, Tone::kTitle, out_) + "\n";
    if (diagnosis_.verdict.lost_ratio >= 0.005) {
      Line(0, style_.Say(text::kWhyLost, FormatRatio(diagnosis_.verdict.lost_ratio),
                         Times(diagnosis_.verdict.speedup_at_most)));
    }
    bool also = false;
    for (const Finding& finding : diagnosis_.findings) {
      const bool main = finding.behind.empty() && finding.level != FindingLevel::kInfo;
      if (!main && !also) {
        out_ += "\n" + exporting::Paint(style_, Tone::kTitle, style_.Say(text::kWhyAlso)) + "\n";
        also = true;
      }
      main && !also ? Whole(finding) : Short(finding);
    }
    if (!diagnosis_.missing.empty()) {
      std::string names;
      for (const std::string& name : diagnosis_.missing) {
        names += (names.empty() ? "" : ", ") + name;
      }
      out_ += "\n";
      Line(0, style_.Say(text::kWhyMissing, names));
    }
    Line(0, style_.Say(text::kWhyLooked, FormatDuration(diagnosis_.seconds)));
    return std::move(out_);
  }

 private:
  static std::string Capital(std::string sentence) {
    if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] -= 'a' - 'A';
    return sentence;
  }

  void Line(int indent, const std::string& text) {
    out_ += std::string(static_cast<size_t>(indent), ' ') +
            exporting::Wrap(text, std::max(20, style_.columns - indent), indent) + "\n";
  }

  std::string Facts(const Finding& finding) const {
    std::string facts = finding.rule;
    const auto add = [&](const std::string& fact) { facts += ", " + fact; };
    if (!finding.is_cause()) add(style_.Say(text::kWhyPossible));
    if (finding.level == FindingLevel::kInfo) {
      add(style_.Say(text::kWhyInfo));
    } else if (!finding.seconds_left && !finding.rule.starts_with("gpumem.") &&
               finding.severity >= 0.005) {
      add(style_.Say(text::kWhySeverity, FormatRatio(finding.severity)));
    }
    add(style_.Say(text::kWhyConfidence, FormatRatio(finding.confidence)));
    if (finding.rank >= 0) add(style_.Say(text::kWhyRank, finding.rank));
    if (finding.pid != 0) add(style_.Say(text::kWhyPid, finding.pid));
    return facts;
  }

  void Whole(const Finding& finding) {
    out_ += "\n";
    Line(0, Capital(std::string(RuleTitle(finding.rule, style_.language))));
    Line(2, exporting::Paint(style_, Tone::kDim, Facts(finding)));
    for (const Evidence& evidence : finding.evidence) {
      Line(2, "- " + Printable(Tell(evidence, style_.language)));
    }
    if (!finding.place.empty()) Line(2, style_.Say(text::kWhyAt, Printable(finding.place)));
    const auto fixes = FixesFor(finding, diagnosis_.frameworks, all_fixes_, style_.language);
    if (fixes.empty()) return;
    Line(2, exporting::Paint(style_, Tone::kTitle, style_.Say(text::kWhyFix)));
    int number = 0;
    for (const Fix& fix : fixes) {
      const std::string whose =
          fix.framework == Framework::kOther || (!all_fixes_ && diagnosis_.frameworks.size() == 1)
              ? ""
              : std::string(FrameworkName(fix.framework)) + ": ";
      Line(4, fmt::format("{}. {}{}", ++number, whose, fix.what));
      out_ += "       " + fix.code + "\n";  // whole, to be pasted
    }
  }

  void Short(const Finding& finding) {
    Line(2, "- " + Printable(Tell(finding, style_.language)));
    std::string facts = Facts(finding);
    if (!finding.behind.empty()) facts += ", " + style_.Say(text::kWhyBehind, finding.behind);
    Line(4, exporting::Paint(style_, Tone::kDim, facts));
  }

  const exporting::Style& style_;
  const Diagnosis& diagnosis_;
  bool all_fixes_;
  std::string out_;
};

}  // namespace

std::string VerdictSentence(const Diagnosis& diagnosis, Language language) {
  Finding stands;
  stands.rule = diagnosis.verdict.rule;
  stands.evidence = diagnosis.verdict.evidence;
  return Printable(Tell(stands, language, 3));
}

std::string WhyLines(const exporting::Style& style, const Diagnosis& diagnosis) {
  std::string out = VerdictSentence(diagnosis, style.language);
  if (diagnosis.verdict.lost_ratio >= 0.005) {
    out += "\n" + style.Say(text::kWhyLost, FormatRatio(diagnosis.verdict.lost_ratio),
                            Times(diagnosis.verdict.speedup_at_most));
  }
  return out;
}

std::string WhyPage(const exporting::Style& style, const Diagnosis& diagnosis, bool all_fixes) {
  return Page(style, diagnosis, all_fixes).Make();
}

void AppendWhyJson(std::string& out, const Diagnosis& diagnosis, bool all_fixes,
                   Language language) {
  exporting::JsonWriter json(out);
  const auto word = [&](const std::string& text) { json.String(text); };
  json.BeginObject();
  json.Member("schema", kWhySchema);
  json.Key("verdict");
  json.BeginObject();
  json.Member("rule", diagnosis.verdict.rule);
  json.Member("text", VerdictSentence(diagnosis, language));
  json.Member("lost_ratio", diagnosis.verdict.lost_ratio);
  json.Member("speedup_at_most", diagnosis.verdict.speedup_at_most);
  json.EndObject();
  json.Objects("findings", diagnosis.findings, [&](const Finding& finding) {
    json.Member("rule", finding.rule);
    json.Member("form", finding.form);
    json.Member("level", record::LevelName(finding.level));
    json.Member("severity_ratio", finding.severity);
    json.Member("confidence", finding.confidence);
    json.Member("pid", finding.pid);
    json.Member("rank", finding.rank);
    json.Member("device_uuid", finding.device_uuid);
    json.Objects("evidence", finding.evidence, [&](const Evidence& evidence) {
      json.Member("key", evidence.key);
      json.Member("text", Printable(Tell(evidence, language)));
      json.Array("values", evidence.figures, [&](const Figure& figure) {
        figure.word.empty() ? json.Number(figure.number) : json.String(figure.word);
      });
    });
    const auto fixes = FixesFor(finding, diagnosis.frameworks, all_fixes, language);
    json.Objects("fix", fixes, [&](const Fix& fix) {
      json.Member("framework", FrameworkName(fix.framework));
      json.Member("text", fix.what);
      json.Member("code", fix.code);
    });
    json.Member("place", finding.place);
    json.Member("behind", finding.behind);
    if (finding.seconds_left) json.Member("seconds_left", *finding.seconds_left);
    json.Array("missing", finding.missing, word);
  });
  json.Array("missing", diagnosis.missing, word);
  json.EndObject();
}

}  // namespace gpusight::cli
