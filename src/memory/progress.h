// SPDX-License-Identifier: Apache-2.0
// What training programs print while they get on, and the lines of tracebacks: steps, epochs, the
// place in the code. Pure, takes any line. Next: oom_scanner.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "memory/oom_text.h"

namespace gpusight::memory {

struct Progress {
  std::optional<uint64_t> step;   // "step 120", "iter: 120/500", "120/500 [00:10<…"
  std::optional<uint64_t> epoch;  // "Epoch [3/10]", "epoch=3"
};
[[nodiscard]] Progress ProgressOf(std::string_view line);

// Whether the second cannot have come before the first.
[[nodiscard]] bool IsLater(const Progress& before, const Progress& after);

// `File "train.py", line 140, in training_step`, and as rich and IPython write it:
// "/job/train.py:140 in training_step".
[[nodiscard]] std::optional<TraceLine> TraceLineOf(std::string_view line);

// Whether it is code of Python or of a package, not of the user.
[[nodiscard]] bool IsLibrary(const TraceLine& line);

// The innermost line of the user's code, else the innermost; nullptr when there is none.
[[nodiscard]] const TraceLine* OwnLine(std::span<const TraceLine> trace);

// Whose code the traceback went through, kOther when no framework's.
[[nodiscard]] Framework FrameworkOf(std::span<const TraceLine> trace);

// Fills phase, no_grad and backward from the functions' names.
void ReadTrace(std::span<const TraceLine> trace, OomText& out);

}  // namespace gpusight::memory
