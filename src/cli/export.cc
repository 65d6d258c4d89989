// SPDX-License-Identifier: Apache-2.0
// `gpusight export`: a recording as tables or event files for other programs. Next:
// export_files.h, tensorboard_folder.h.
#include "model/text/export.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/export_files.h"
#include "cli/registry.h"
#include "cli/tensorboard_folder.h"
#include "model/text/replay.h"
#include "model/text/tensorboard.h"

namespace gpusight::cli {
namespace {

class Export : public Command {
 public:
  std::string_view name() const override { return "export"; }
  const Text& summary() const override { return text::kExportSummary; }
  const Text& description() const override { return text::kExportDescription; }

  void Declare(Options& options) override {
    options.File("FILE", "", text::kReplayFile, file_).in_config = false;
    Option& place = options.File("DIR", "", text::kExportFolder, place_);
    place.offer = Offer::kFolder;
    place.in_config = false;
    options.Choice("-f,--format", {"csv", "jsonl", "parquet", "tensorboard"}, text::kExportFormat,
                   format_);
    Option& output = options.File("-o,--output", "DIR", text::kExportOutput, output_);
    output.offer = Offer::kFolder;
    output.in_config = false;
    options.Duration("--from", text::kExportFrom, from_, 0).in_config = false;
    options.Duration("--for", text::kExportFor, for_, 0).in_config = false;
  }

  Result<ExitCode> Run(Context& context) override {
    if (file_.empty()) {
      return Fail(ErrorCode::kUsage, context.Say(text::kReplayNoFile, name()),
                  context.Say(text::kReplayNoFileRemedy, name()));
    }
    const auto recording = record::Recording::Open(file_, context.language);
    if (!recording) return tl::unexpected(recording.error());
    if (!place_.empty() && !output_.empty()) {
      return Fail(ErrorCode::kUsage,
                  context.Say(text::kExportTwoFolders, Printable(place_), Printable(output_)),
                  context.Say(text::kExportTwoFoldersRemedy));
    }
    const std::string folder = !place_.empty()    ? place_
                               : !output_.empty() ? output_
                                                  : DefaultFolder();
    if (format_ == "tensorboard") return ToTensorBoard(context, *recording, folder);
    auto files = ExportFiles::Create(folder, Format(), context.language);
    if (!files) return tl::unexpected(std::move(files.error()));
    const auto read = record::WriteTables(*recording, SpanOf(*recording), *files);
    // What was read until then is written all the same.
    if (auto written = files->Finish(); !written) return tl::unexpected(written.error());
    if (!read) return tl::unexpected(read.error());
    const std::string line =
        context.Say(text::kExportDone, files->rows(),
                    FormatBytes(static_cast<double>(files->bytes())), Printable(folder));
    if (auto said = context.out.Write(line + '\n'); !said) return tl::unexpected(said.error());
    return ExitCode::kOk;
  }

 private:
  Result<ExitCode> ToTensorBoard(Context& context, const record::Recording& recording,
                                 const std::string& place) const {
    const record::Summary summary = recording.Read();
    auto folder =
        TensorBoardFolder::Create(place, summary.span.begin, summary.hostname, context.language);
    if (!folder) return tl::unexpected(std::move(folder.error()));
    const auto points =
        ExportToTensorBoard(recording, SpanOf(recording), *folder, context.language);
    if (!points) return tl::unexpected(points.error());
    const std::string line =
        context.Say(text::kTensorBoardDone, *points,
                    FormatBytes(static_cast<double>(folder->bytes())), Printable(place));
    if (auto said = context.out.Write(line + '\n'); !said) return tl::unexpected(said.error());
    return ExitCode::kOk;
  }

  TableFormat Format() const {
    return format_ == "jsonl"     ? TableFormat::kJsonl
           : format_ == "parquet" ? TableFormat::kParquet
                                  : TableFormat::kCsv;
  }

  // "runs/a.gpusight" -> "a-csv", here.
  std::string DefaultFolder() const {
    std::string name = file_.substr(file_.rfind('/') + 1);
    constexpr std::string_view kEnding = ".gpusight";
    if (name.size() > kEnding.size() && name.ends_with(kEnding)) {
      name.resize(name.size() - kEnding.size());
    }
    return name + "-" + format_;
  }

  record::Span SpanOf(const record::Recording& recording) const {
    record::Span span;
    if (from_ == 0 && for_ == 0) return span;
    const WallTime begin = recording.Read().span.begin;
    span.begin.ns = begin.ns + static_cast<int64_t>(from_ * 1e9);
    if (for_ > 0) span.end.ns = span.begin.ns + static_cast<int64_t>(for_ * 1e9);
    return span;
  }

  std::string file_, place_, format_ = "csv", output_;
  double from_ = 0, for_ = 0;
};

}  // namespace

std::unique_ptr<Command> MakeExport() { return std::make_unique<Export>(); }

}  // namespace gpusight::cli
