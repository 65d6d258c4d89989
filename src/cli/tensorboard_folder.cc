// SPDX-License-Identifier: Apache-2.0
#include "cli/tensorboard_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/text.h"
#include "cli/reason.h"
#include "export/markup.h"
#include "model/text/export.h"
#include "model/text/tensorboard.h"

namespace gpusight::cli {
namespace {

using exporting::MarkdownSafe;

constexpr std::string_view kPrefix = "events.out.tfevents.", kSuffix = ".gpusight";
constexpr size_t kMostWaiting = size_t{1} << 20;  // of a file that cannot be written
constexpr size_t kBuffer = size_t{256} << 10;

}  // namespace

bool HoldsEventFiles(const std::string& folder) {
  for (const std::string& run : ListFolder(folder).value_or(std::vector<std::string>())) {
    const std::string place = fmt::format("{}/{}", folder, run);
    for (const std::string& file : ListFolder(place).value_or(std::vector<std::string>())) {
      if (file.starts_with(kPrefix) && file.ends_with(kSuffix)) return true;
    }
  }
  return false;
}

Result<TensorBoardFolder> TensorBoardFolder::Create(const std::string& folder, WallTime time,
                                                    const std::string& hostname,
                                                    Language language) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return Fail(ErrorCode::kIo,
                Say(language, text::kExportNoFolder, Printable(folder),
                    SystemReason(failed.value(), language)),
                Say(language, text::kExportNoFolderRemedy));
  }
  if (HoldsEventFiles(folder)) {
    return Fail(ErrorCode::kUsage, Say(language, text::kTensorBoardTaken, Printable(folder)),
                Say(language, text::kExportExistsRemedy));
  }
  return TensorBoardFolder(folder, exporting::TensorBoardFileName(time, hostname), language);
}

Result<void> TensorBoardFolder::Append(const std::string& run, File& file) {
  const std::string place = folder_ + '/' + run;
  const std::string path = place + '/' + name_;
  const auto fail = [&](int number) -> Result<void> {
    return tl::unexpected(
        Error{ErrorCode::kIo,
              Say(language_, text::kExportFailed, Printable(path), SystemReason(number, language_)),
              Say(language_, text::kExportNoFolderRemedy), 0});
  };
  if (!file.fd.valid()) {
    if (mkdir(place.c_str(), 0777) != 0 && errno != EEXIST) return fail(errno);
    file.fd = UniqueFd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.fd.valid()) return fail(errno);
  }
  const std::string bytes = file.size == 0 ? file.header + file.waiting : file.waiting;
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = pwrite(file.fd.get(), bytes.data() + done, bytes.size() - done,
                             static_cast<off_t>(file.size + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int number = n < 0 ? errno : ENOSPC;
      // No half event may stay.
      if (done > 0) (void)ftruncate(file.fd.get(), static_cast<off_t>(file.size));
      return fail(number);
    }
    done += static_cast<size_t>(n);
  }
  file.size += bytes.size();
  file.waiting.clear();
  return {};
}

Result<void> TensorBoardFolder::Write(std::vector<exporting::TensorBoardRuns::Piece> pieces) {
  for (exporting::TensorBoardRuns::Piece& piece : pieces) {
    File& file = files_[piece.run];
    file.header = std::move(piece.header);
    file.waiting += piece.bytes;
  }
  Result<void> result;
  for (auto& [run, file] : files_) {
    if (file.waiting.empty()) continue;
    auto appended = Append(run, file);
    if (appended) continue;
    if (file.waiting.size() > kMostWaiting) file.waiting.clear();
    if (result) result = std::move(appended);
  }
  return result;
}

uint64_t TensorBoardFolder::bytes() const {
  uint64_t sum = 0;
  for (const auto& [name, file] : files_) sum += file.size;
  return sum;
}

std::string RunAsMarkdown(const record::RunFacts& facts, const record::RunEnd& end,
                          const std::string& hostname, const DriverInfo& driver,
                          const std::vector<DeviceInfo>& devices, Language language) {
  std::string out = "| | |\n| --- | --- |\n";
  const auto row = [&out](const std::string& name, std::string_view value) {
    if (!value.empty()) out += fmt::format("| {} | {} |\n", name, MarkdownSafe(Capped(value)));
  };
  row(Say(language, text::kTensorBoardName), facts.name);
  row(Say(language, text::kTensorBoardCommand), fmt::format("{}", fmt::join(facts.arguments, " ")));
  row(Say(language, text::kTensorBoardFolder), facts.folder);
  row(Say(language, text::kTensorBoardCommit), facts.git_commit);
  row(Say(language, text::kTensorBoardHost), hostname);
  row(Say(language, text::kTensorBoardDriver), driver.version);
  for (const DeviceInfo& device : devices) {
    row(Say(language, text::kTensorBoardDevice, device.index), device.name);
  }
  for (const auto& [name, value] : facts.tags) {
    row(Say(language, text::kTensorBoardTag, MarkdownSafe(name)), value);
  }
  for (const auto& [name, value] : facts.versions) row(MarkdownSafe(name), value);
  row("gpusight", facts.gpusight);
  row(Say(language, text::kTensorBoardEnd), end.text.empty() ? end.kind : end.text);
  return out;
}

std::string AsMarkdown(std::span<const std::string> lines) {
  std::string out;
  for (const std::string& line : lines) out += fmt::format("- {}\n", MarkdownSafe(line));
  return out;
}

Result<uint64_t> ExportToTensorBoard(const record::Recording& recording, record::Span span,
                                     TensorBoardFolder& folder, Language language) {
  const record::Summary summary = recording.Read();
  exporting::TensorBoardRuns runs(summary.span.begin, language);
  std::vector<DeviceInfo> devices;
  for (const record::RecordedDevice& device : recording.Devices()) devices.push_back(device.info);
  runs.AddText(exporting::kRunTag, summary.span.begin,
               RunAsMarkdown(summary.facts, summary.end, summary.hostname, summary.driver, devices,
                             language));
  record::FrameCursor cursor = recording.Frames(span.begin);
  Frame frame;
  while (cursor.Next(frame)) {
    if (span.end.ns != 0 && !(frame.time < span.end)) break;
    runs.Add(frame);
    if (runs.waiting() < kBuffer) continue;
    if (auto written = folder.Write(runs.Take()); !written) return tl::unexpected(written.error());
  }
  std::vector<std::string> findings;
  for (const record::FindingRow& row : recording.Findings()) {
    findings.push_back(record::Headline(row, language));
  }
  if (!findings.empty()) {
    runs.AddText(exporting::kFindingsTag, summary.span.end, AsMarkdown(findings));
  }
  // What was read until then is written all the same.
  if (auto written = folder.Write(runs.Take()); !written) return tl::unexpected(written.error());
  if (auto trouble = cursor.trouble()) return tl::unexpected(std::move(*trouble));
  return runs.points();
}

}  // namespace gpusight::cli
