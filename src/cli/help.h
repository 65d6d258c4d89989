// SPDX-License-Identifier: Apache-2.0
// --help, made from the declarations. Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace gpusight::cli {

[[nodiscard]] std::string ProgramHelp(const std::vector<std::unique_ptr<Command>>& commands,
                                      const Options& global, Language language);

// "gpusight log [OPTIONS]"
[[nodiscard]] std::string Synopsis(const Command& command, const Options& own);

[[nodiscard]] std::string CommandHelp(const Command& command, const Options& own,
                                      const Options& global, Language language);

}  // namespace gpusight::cli
