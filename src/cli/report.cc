// SPDX-License-Identifier: Apache-2.0
// `gpusight report FILE`: a page, Markdown or JSON of a recording.
#include "model/text/report.h"

#include <sys/stat.h>

#include "base/text.h"
#include "cli/registry.h"
#include "cli/whole_file.h"
#include "report/failure_text.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/report_data.h"

namespace gpusight::cli {
namespace {

// "runs/a.gpusight" -> "runs/a.html"
std::string BesideIt(const std::string& file) {
  const size_t name = file.rfind('/') + 1;
  const size_t dot = file.rfind('.');
  const bool has_ending = dot != file.npos && dot > name;
  return file.substr(0, has_ending ? dot : file.size()) + ".html";
}

bool SameFile(const std::string& a, const std::string& b) {
  struct stat x{}, y{};
  return stat(a.c_str(), &x) == 0 && stat(b.c_str(), &y) == 0 && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

class Report : public Command {
 public:
  std::string_view name() const override { return "report"; }
  const Text& summary() const override { return text::kReportSummary; }
  const Text& description() const override { return text::kReportDescription; }

  void Declare(Options& options) override {
    Option& file = options.File("FILE", "", text::kReportFile, file_);
    file.in_config = false;
    options.File("-o,--output", "FILE", text::kReportOutput, output_).in_config = false;
    options.Switch("--markdown", text::kReportMarkdown, markdown_);
    options.Switch("--json", text::kReportJson, json_);
    options.Switch("--post-mortem", text::kReportPostMortem, post_mortem_).in_config = false;
    options.Switch("--force", text::kReportForce, force_).in_config = false;
  }

  Result<ExitCode> Run(Context& context) override {
    if (file_.empty()) {
      return Fail(ErrorCode::kUsage, context.Say(text::kReportNoFile),
                  context.Say(text::kReportNoFileRemedy, name(), "FILE"));
    }
    if (markdown_ + json_ + post_mortem_ > 1) {
      return Fail(ErrorCode::kUsage, context.Say(text::kReportBoth),
                  context.Say(text::kReportBothRemedy));
    }
    const bool page = !markdown_ && !json_ && !post_mortem_;
    if (page && !report::HasPage()) {
      return Fail(ErrorCode::kNotFound, context.Say(text::kReportNoPage),
                  context.Say(text::kReportNoPageRemedy));
    }
    if (output_.empty()) output_ = page ? BesideIt(file_) : "-";
    const auto recording = record::Recording::Open(file_, context.language);
    if (!recording) return tl::unexpected(recording.error());
    if (output_ != "-" && SameFile(file_, output_)) {
      return Fail(ErrorCode::kUsage, context.Say(text::kReportSame, Printable(file_)),
                  context.Say(text::kReportSameRemedy));
    }
    const std::string out = Make(context, *recording);
    if (output_ == "-") return Ended(context.out.Write(out));
    if (auto written = Save(context, out, page); !written) return Ended(written);
    return Ended(context.out.Write(context.Say(text::kReportWritten, Printable(output_)) + "\n"));
  }

 private:
  static Result<ExitCode> Ended(Result<void> result) {
    if (!result) return tl::unexpected(std::move(result.error()));
    return ExitCode::kOk;
  }

  std::string Make(const Context& context, const record::Recording& recording) const {
    if (post_mortem_) {
      return report::FailureText(report::ReadFailure(recording), "", context.columns,
                                 context.language);
    }
    const report::Report report = report::ReadReport(recording);
    if (markdown_) return report::Markdown(report, context.language);
    if (!json_) return report::Html(report, context.language);
    std::string out;
    report::AppendJson(out, report);
    return out + '\n';
  }

  Result<void> Save(const Context& context, std::string_view out, bool page) const {
    const auto ours = [&](std::string_view beginning) {
      if (force_) return true;
      if (page) return beginning.find(report::kHtmlMark) != beginning.npos;
      // The first line of what was written says the same.
      return beginning.substr(0, 12) == out.substr(0, 12);
    };
    auto written = WriteWholeFile(output_, out, ours);
    if (!written && written.error().code == ErrorCode::kUsage) {
      return Fail(ErrorCode::kUsage, context.Say(text::kReportForeign, Printable(output_)),
                  context.Say(text::kReportForeignRemedy));
    }
    return written;
  }

  std::string file_, output_;
  bool markdown_ = false, json_ = false, post_mortem_ = false, force_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeReport() { return std::make_unique<Report>(); }

}  // namespace gpusight::cli
