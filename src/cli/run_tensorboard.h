// SPDX-License-Identifier: Apache-2.0
// Event files for TensorBoard while a job runs (--tensorboard): each frame is in the files before
// the next is sampled. It may fail at any time; that is said once, and neither the recording nor
// the job takes notice. Next: tensorboard_folder.h.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "cli/tensorboard_folder.h"
#include "model/finding.h"

namespace gpusight::cli {

class RunTensorBoard {
 public:
  using Sayer = std::function<void(const std::string& sentence)>;

  // `folder` holds nothing of another run, or the next one of "folder-2", "folder-3", … is taken.
  // Seconds count from `first`, which is not written yet.
  RunTensorBoard(const std::string& folder, const record::RunFacts& facts, const Frame& first,
                 Sayer say, Language language);

  void Add(const Frame& frame);
  void End(const record::RunFacts& facts, const record::RunEnd& end,
           std::span<const Finding> findings, const Frame& last);

 private:
  void AddFacts(const record::RunFacts& facts, const record::RunEnd& end, const Frame& frame);
  void Write();
  void Complain(const Error& why);

  Sayer say_;
  Language language_;
  exporting::TensorBoardRuns runs_;
  std::optional<TensorBoardFolder> folder_;
  bool complained_ = false;
};

}  // namespace gpusight::cli
