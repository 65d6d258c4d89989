// SPDX-License-Identifier: Apache-2.0
// The exit codes of gpusight: one table, a contract with scripts (docs/exit-codes.md is checked
// against it). Commands return Result<ExitCode>; an Error becomes a code here. Next: command.h.
#pragma once

#include <span>
#include <string_view>

#include "base/language.h"
#include "base/result.h"

namespace gpusight::cli {

enum class ExitCode : int {
  kOk = 0,       //
  kFailed = 1,   // reading, writing or waiting failed
  kUsage = 2,    // the command line or the configuration is wrong
  kNoGpu = 3,    // no driver or no usable GPU
  kProblem = 4,  // the command worked and found a problem (doctor)
  kNothing = 5,  // the command worked and found nothing (explain)
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view name;
  Text meaning;
};

// All of them, by number.
[[nodiscard]] std::span<const ExitCodeRow> ExitCodes();

// The code with which the program ends after an error of that kind.
[[nodiscard]] ExitCode ExitCodeOf(ErrorCode code);

}  // namespace gpusight::cli
