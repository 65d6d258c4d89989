// SPDX-License-Identifier: Apache-2.0
// The program, apart from main(): parses the command line, reads the configuration, builds the
// Context, runs the command, and turns what it returns into an exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace gpusight::cli {

struct World {
  const Clock& clock;
  Output& out;
  Output& err;
  Environment env;
  const char* const* variables = nullptr;  // all of the environment, as environ(7)
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool in_is_terminal = false;
  int columns = 0;           // of the terminal that `out` is; 0 when it is none, or does not say
  int err_columns = 0;       // the same of `err`
  std::string program = {};  // path of our own executable
  launch::Inherited inherited = {};  // what we got, and changed
};

// `args` without the program's name. Returns the exit code.
int RunProgram(const std::vector<std::string>& words, const World& world);

}  // namespace gpusight::cli
