// SPDX-License-Identifier: Apache-2.0
// The failures of one log by their cause: ranks that fail alike, retries, and the killing of the
// rest after the first are told once. Pure. Next: oom_words.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "memory/oom_verdict.h"

namespace gpusight::memory {

struct OomGroup {
  std::vector<size_t> members;  // positions among the texts, by line
  size_t lead = 0;              // the one that tells most
  OomFacts facts;               // of it
  OomVerdict verdict;           // of it
  bool consequence = false;     // a process was killed after another group's failure
};

// What began first, and what ended the program, stands first; consequences stand last.
[[nodiscard]] std::vector<OomGroup> GroupTexts(std::span<const OomText> texts);

// Each text by itself.
[[nodiscard]] std::vector<OomGroup> SingleTexts(std::span<const OomText> texts);

}  // namespace gpusight::memory
