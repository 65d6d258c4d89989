// SPDX-License-Identifier: Apache-2.0
// `gpusight compare A B`: two recordings beside each other.
#include "model/text/compare.h"

#include "cli/registry.h"
#include "model/text/report.h"
#include "report/compare_text.h"
#include "report/report_data.h"

namespace gpusight::cli {
namespace {

class Compare : public Command {
 public:
  std::string_view name() const override { return "compare"; }
  const Text& summary() const override { return text::kCompareSummary; }
  const Text& description() const override { return text::kCompareDescription; }

  void Declare(Options& options) override {
    options.File("A", "", text::kCompareA, a_).in_config = false;
    options.File("B", "", text::kCompareB, b_).in_config = false;
    options.Switch("--json", text::kCompareJson, json_);
    options.Switch("--markdown", text::kCompareMarkdown, markdown_);
    options.Duration("--skip", text::kCompareSkip, skip_, 0);
  }

  Result<ExitCode> Run(Context& context) override {
    if (a_.empty() || b_.empty()) {
      return Fail(ErrorCode::kUsage, context.Say(text::kCompareTwo),
                  context.Say(text::kReportNoFileRemedy, name(), "A B"));
    }
    if (markdown_ && json_) {
      return Fail(ErrorCode::kUsage, context.Say(text::kReportBoth),
                  context.Say(text::kReportBothRemedy));
    }
    std::vector<report::Report> reports;
    for (const std::string* path : {&a_, &b_}) {
      const auto recording = record::Recording::Open(*path, context.language);
      if (!recording) return tl::unexpected(recording.error());
      reports.push_back(report::ReadReport(*recording));
    }
    const report::Comparisons found = report::Compare(reports[0], reports[1], skip_);
    const std::string a = Called(a_), b = Called(b_);
    std::string out;
    if (json_) {
      report::AppendCompareJson(out, found, a, b);
      out += '\n';
    } else if (markdown_) {
      out = report::CompareMarkdown(found, a, b, context.language);
    } else {
      out = report::CompareText(context.PageStyle(), found, a, b);
    }
    if (auto written = context.out.Write(out); !written) {
      return tl::unexpected(std::move(written.error()));
    }
    return ExitCode::kOk;
  }

 private:
  // The file's name tells the runs apart; the program's is often the same.
  static std::string Called(const std::string& path) { return path.substr(path.rfind('/') + 1); }

  std::string a_, b_;
  bool json_ = false, markdown_ = false;
  double skip_ = 0;
};

}  // namespace

std::unique_ptr<Command> MakeCompare() { return std::make_unique<Compare>(); }

}  // namespace gpusight::cli
