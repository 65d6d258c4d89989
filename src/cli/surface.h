// SPDX-License-Identifier: Apache-2.0
// Everything that the command line offers: all commands with their declared options. Help, man
// pages, completions and documents are made from it. Next: generate/.
#pragma once

#include <string_view>
#include <vector>

#include "cli/command.h"

namespace gpusight::cli {

struct SurfaceCommand {
  const Command* command;
  const Options* options;
};

struct Surface {
  std::vector<SurfaceCommand> commands;
  const Options* global = nullptr;

  const SurfaceCommand* Find(std::string_view name) const {
    for (const SurfaceCommand& c : commands) {
      if (c.command->name() == name) return &c;
    }
    return nullptr;
  }
};

}  // namespace gpusight::cli
