// SPDX-License-Identifier: Apache-2.0
#include "cli/run_why.h"

#include <algorithm>

#include "base/text.h"
#include "cli/why_page.h"
#include "export/wrap.h"
#include "model/finding_text.h"
#include "model/text/why.h"

namespace gpusight::cli {
namespace {

// Shorter ones tell nothing of how a job runs.
constexpr double kLeastSeconds = 10;

}  // namespace

const Diagnosis& RunDiagnosis::Finish() {
  saw_a_job_ = diagnoser_.saw_a_job();
  if (saw_a_job_) diagnosis_ = diagnoser_.Finish();
  return diagnosis_;
}

Known<double> RunDiagnosis::count() const {
  if (!saw_a_job_) return Absence::kNotApplicable;
  return static_cast<double>(std::count_if(
      diagnosis_.findings.begin(), diagnosis_.findings.end(),
      [](const Finding& f) { return f.is_cause() && f.level != FindingLevel::kInfo; }));
}

std::string RunDiagnosis::Text(const exporting::Style& style, const std::string& file) const {
  const std::string& rule = diagnosis_.verdict.rule;
  if (!saw_a_job_ || diagnosis_.seconds < kLeastSeconds || rule == kUnknownCause) return "";
  std::string out = "\n";
  const std::string lines = WhyLines(style, diagnosis_);
  for (const std::string_view line : Split(lines, '\n')) {
    out += exporting::Wrap(line, style.columns, 0) + "\n";
  }
  if (rule == kComputeBound || file.empty()) return out;
  for (const Fix& fix :
       FixesFor(diagnosis_.findings.front(), diagnosis_.frameworks, false, style.language)) {
    out += "  " + exporting::Wrap(fix.what, std::max(20, style.columns - 2), 2) + "\n";
    out += "    " + fix.code + "\n";
    break;
  }
  out += "  " + style.Say(text::kWhyMore, Printable(file)) + "\n";
  return out;
}

}  // namespace gpusight::cli
