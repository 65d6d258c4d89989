// SPDX-License-Identifier: Apache-2.0
// Event files for TensorBoard while a job runs (--tensorboard): each frame is in the files before
// the next is sampled. A thread of its own writes, because a folder on the network may hang for
// minutes. Whatever goes wrong is said once, and neither the recording nor the job takes notice.
// Next: tensorboard_folder.h.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>

#include "cli/tensorboard_folder.h"
#include "model/finding.h"

namespace gpusight::cli {

class RunTensorBoard {
 public:
  using Sayer = std::function<void(const std::string& sentence)>;  // called from any thread

  // `folder` holds nothing of another run, or the next one of "folder-2", "folder-3", … is taken.
  // Seconds count from `first`, which is not written yet.
  RunTensorBoard(const std::string& folder, const record::RunFacts& facts, const Frame& first,
                 const Sayer& say, Language language);
  // Waits for the disk, but not for one that hangs.
  ~RunTensorBoard();

  void Add(const Frame& frame);
  void End(const record::RunFacts& facts, const record::RunEnd& end,
           std::span<const Finding> findings, const Frame& last);

 private:
  class Desk;

  void AddFacts(const record::RunFacts& facts, const record::RunEnd& end, const Frame& frame);

  Language language_;
  exporting::TensorBoardRuns runs_;
  std::unique_ptr<Desk> desk_;  // none: nothing can be written
  std::thread thread_;
};

}  // namespace gpusight::cli
