// SPDX-License-Identifier: Apache-2.0
// What `gpusight run` changes in the environment of the job, and nothing else: the run's id, the
// folder for telemetry pages, and the Python package's bootstrap folder in front of PYTHONPATH.
// Next: run_budget.h for --memory-budget.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/context.h"

namespace gpusight::cli {

using Variables = std::vector<std::pair<std::string, std::string>>;

// The environment with these variables set: the others stay as they are, and in their order.
[[nodiscard]] std::vector<std::string> WithVariables(const char* const* environment,
                                                     const Variables& set);

// PYTHONPATH with `folder` in front; an empty one has no entries.
[[nodiscard]] std::string InFront(std::string_view folder, std::string_view python_path);

// The folder with the package's sitecustomize.py, relative to the program: in a build tree, an
// installed tree or a wheel. "" when there is none.
[[nodiscard]] std::string BootstrapFolder(const std::string& program);

// Where pages may be kept. Writing to a mapped page must neither wait for a disk, nor use up a
// small /dev/shm, of which a job needs every byte for its data loader.
struct PlaceForPages {
  std::string folder;
  bool usable = false;     // a folder that we may write to
  bool in_memory = false;  // tmpfs
  double free_bytes = 0;
};
[[nodiscard]] std::string ChoosePlace(std::span<const PlaceForPages> places);
[[nodiscard]] std::vector<PlaceForPages> PlacesForPages(const Environment& env);

// "20260405-101112-9f3a21c4": local time and chance.
[[nodiscard]] std::string MakeRunId(WallTime now, uint32_t chance);

}  // namespace gpusight::cli
