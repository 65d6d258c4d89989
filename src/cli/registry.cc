// SPDX-License-Identifier: Apache-2.0
#include "cli/registry.h"

namespace gpusight::cli {

std::vector<std::unique_ptr<Command>> AllCommands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(MakeStatus());
  commands.push_back(MakeTop());
  commands.push_back(MakeLog());
  commands.push_back(MakeWho());
  commands.push_back(MakeRun());
  commands.push_back(MakeWatch());
  commands.push_back(MakeReplay());
  commands.push_back(MakeExport());
  commands.push_back(MakeWhy());
  commands.push_back(MakeDoctor());
  commands.push_back(MakeReport());
  commands.push_back(MakeCompare());
  commands.push_back(MakeExplain());
  commands.push_back(MakeCompletion());
  commands.push_back(MakeMan());
  commands.push_back(MakeDocs());
  commands.push_back(MakeComplete());
  return commands;
}

}  // namespace gpusight::cli
