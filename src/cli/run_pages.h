// SPDX-License-Identifier: Apache-2.0
// The folder of a run's telemetry pages. Whoever needs it holds a lock on it, which the kernel
// takes away when that process dies, however it dies; a later run removes folders that nobody
// holds. Next: run_variables.h, which chooses where it lies.
#pragma once

#include <string>

#include "base/fd.h"

namespace gpusight::cli {

struct PageFolder {
  std::string path;  // "" when there is none
  UniqueFd lock;     // shared by all processes that inherit it
};

// Makes one for this run below `place`.
[[nodiscard]] PageFolder MakePageFolder(const std::string& place, const std::string& run_id);

// With all that is in it.
void RemovePages(const std::string& folder);

// Removes those below `place` that are ours, that nobody holds, and that are older than a minute.
void RemoveAbandonedPages(const std::string& place, double least_age = 60);

}  // namespace gpusight::cli
