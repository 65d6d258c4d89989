// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_code.h"

#include "model/text/cli.h"
#include "model/text/oom.h"

namespace gpusight::cli {
namespace {

constexpr ExitCodeRow kExitCodes[] = {
    {ExitCode::kOk, "ok", text::kExitOk},
    {ExitCode::kFailed, "failed", text::kExitFailed},
    {ExitCode::kUsage, "usage", text::kExitUsage},
    {ExitCode::kNoGpu, "no GPU", text::kExitNoGpu},
    {ExitCode::kProblem, "problem", text::kExitProblem},
    {ExitCode::kNothing, "nothing", text::kExitNothing},
};

}  // namespace

std::span<const ExitCodeRow> ExitCodes() { return kExitCodes; }

ExitCode ExitCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
    case ErrorCode::kBadInput:
      return ExitCode::kUsage;
    case ErrorCode::kNoGpu:
      return ExitCode::kNoGpu;
    case ErrorCode::kNotFound:
    case ErrorCode::kNoPermission:
    case ErrorCode::kIo:
    case ErrorCode::kTimeout:
    case ErrorCode::kInternal:
      return ExitCode::kFailed;
  }
  return ExitCode::kFailed;
}

}  // namespace gpusight::cli
