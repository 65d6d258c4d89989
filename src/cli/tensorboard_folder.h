// SPDX-License-Identifier: Apache-2.0
// The folder that `tensorboard --logdir` is given: a folder below it for each run, in that a file.
// What is written is always whole: TensorBoard gives up a file in which half an event is followed
// by others. Next: ../export/tensorboard_runs.h.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/language.h"
#include "base/result.h"
#include "export/tensorboard_runs.h"
#include "record/reader.h"

namespace gpusight::cli {

class TensorBoardFolder {
 public:
  // Makes the folder, with those above it. `time` and `hostname` go into the names of the files.
  static Result<TensorBoardFolder> Create(const std::string& folder, WallTime time,
                                          const std::string& hostname, Language language);

  // Appends the pieces. What cannot be written waits, some of it, for the next call.
  Result<void> Write(std::vector<exporting::TensorBoardRuns::Piece> pieces);

  [[nodiscard]] const std::string& path() const { return folder_; }
  [[nodiscard]] uint64_t bytes() const;

 private:
  struct File {
    UniqueFd fd;
    uint64_t size = 0;
    std::string header, waiting;
  };
  TensorBoardFolder(std::string folder, std::string name, Language language)
      : folder_(std::move(folder)), name_(std::move(name)), language_(language) {}
  Result<void> Append(const std::string& run, File& file);

  std::string folder_, name_;
  Language language_;
  std::map<std::string, File> files_;
};

// Whether gpusight wrote event files there already.
[[nodiscard]] bool HoldsEventFiles(const std::string& folder);

// What the run was as a table in Markdown; with `end` also how it ended.
[[nodiscard]] std::string RunAsMarkdown(const record::RunFacts& facts, const record::RunEnd& end,
                                        const std::string& hostname, const DriverInfo& driver,
                                        const std::vector<DeviceInfo>& devices, Language language);

// The lines as a list in Markdown.
[[nodiscard]] std::string AsMarkdown(std::span<const std::string> lines);

// The whole recording, or a span of it, as event files. Returns the number of points.
[[nodiscard]] Result<uint64_t> ExportToTensorBoard(const record::Recording& recording,
                                                   record::Span span, TensorBoardFolder& folder,
                                                   Language language);

}  // namespace gpusight::cli
