// SPDX-License-Identifier: Apache-2.0
// The list of all commands, in the order in which help shows them.
#pragma once

#include <memory>
#include <vector>

#include "cli/command.h"

namespace gpusight::cli {

[[nodiscard]] std::vector<std::unique_ptr<Command>> AllCommands();

// One line per command, each defined in its own file.
std::unique_ptr<Command> MakeRun();
std::unique_ptr<Command> MakeWatch();
std::unique_ptr<Command> MakeStatus();
std::unique_ptr<Command> MakeLog();
std::unique_ptr<Command> MakeTop();
std::unique_ptr<Command> MakeWho();
std::unique_ptr<Command> MakeReplay();
std::unique_ptr<Command> MakeExport();
std::unique_ptr<Command> MakeWhy();
std::unique_ptr<Command> MakeDoctor();
std::unique_ptr<Command> MakeReport();
std::unique_ptr<Command> MakeCompare();
std::unique_ptr<Command> MakeExplain();
std::unique_ptr<Command> MakeCompletion();
std::unique_ptr<Command> MakeMan();
std::unique_ptr<Command> MakeDocs();
std::unique_ptr<Command> MakeComplete();

}  // namespace gpusight::cli
