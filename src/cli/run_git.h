// SPDX-License-Identifier: Apache-2.0
// Which version of the code a run was: the commit, read from git's own files, and whether files
// differ from it, which only git itself can tell. Nothing is written, and nobody waits for long.
#pragma once

#include <optional>
#include <string>

#include "base/fd.h"

namespace gpusight::cli {

// The commit that is checked out in `folder` or one above; "" outside of a repository.
[[nodiscard]] std::string CommitOf(const std::string& folder);

// Asks git whether tracked files of that folder's repository differ from the commit.
class GitQuestion {
 public:
  // Begins, without waiting.
  explicit GitQuestion(const std::string& folder);
  ~GitQuestion();  // ends git when it is still at it
  GitQuestion(const GitQuestion&) = delete;
  GitQuestion& operator=(const GitQuestion&) = delete;

  // nullopt when there is no git, it refuses, or takes longer.
  [[nodiscard]] std::optional<bool> Changed(double seconds);

 private:
  int pid_ = -1;
};

}  // namespace gpusight::cli
