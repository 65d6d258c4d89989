// SPDX-License-Identifier: Apache-2.0
// What a run is called, and its file: by the script that runs, in ./gpusight-runs/, where whoever
// started it will look for it. Nothing is ever overwritten. Pure but for FreeName().
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/context.h"

namespace gpusight::cli {

// "train" for `torchrun --nproc-per-node 2 tools/train.py --lr 1`, "pretrain_gpt" for
// `python -m megatron.pretrain_gpt`, else the program's.
[[nodiscard]] std::string NameOfRun(const std::vector<std::string>& command);

inline constexpr std::string_view kRecordingSuffix = ".gpusight";

// The folders in which a recording may be put when nobody said where, best first.
[[nodiscard]] std::vector<std::string> RunFolders(const Environment& env);

// "20260405-101112-train.gpusight".
[[nodiscard]] std::string FileOfRun(WallTime now, const std::string& name);

// `path`, or the first of "path-2", "path-3", … (before the suffix) that does not exist.
[[nodiscard]] std::string FreeName(const std::string& path);

// --tag: "name=value".
[[nodiscard]] Result<void> CheckTag(std::string_view word, Language language);
[[nodiscard]] std::vector<std::pair<std::string, std::string>> TagPairs(
    const std::vector<std::string>& tags);

// "" when it cannot be told.
[[nodiscard]] std::string CurrentFolder();

// As an absolute path, so that it stays the same file.
[[nodiscard]] std::string Absolute(const std::string& path);

}  // namespace gpusight::cli
