// SPDX-License-Identifier: Apache-2.0
// --help, made from the declarations. Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"

namespace gpusight::cli {

// Help in lines of at most `columns` cells, within 40 and 80.
[[nodiscard]] std::string ProgramHelp(const std::vector<std::unique_ptr<Command>>& commands,
                                      const Options& global, Language language, int columns);

// "gpusight log [OPTIONS]"
[[nodiscard]] std::string Synopsis(const Command& command, const Options& own, Language language);

// What the option does, with its values where they are too many for value_name().
[[nodiscard]] std::string HelpOf(const Option& option, Language language);

// How the values that these options take are written.
[[nodiscard]] std::vector<std::string> ValueNotes(const Options& options, Language language);

[[nodiscard]] std::string CommandHelp(const Command& command, const Options& own,
                                      const Options& global, Language language, int columns);

}  // namespace gpusight::cli
