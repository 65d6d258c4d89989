// SPDX-License-Identifier: Apache-2.0
// The command line, against the declarations. This is the only place that knows CLI11 (slow to
// compile, and it throws): it says which option was given which text, and nothing is set yet,
// because the language of a complaint may itself depend on an option. Next: run.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/language.h"
#include "base/result.h"
#include "cli/options.h"

namespace gpusight::cli {

// A command's name and options, or the options of all commands.
struct Grammar {
  std::string_view name;
  const Options* options;
};

struct Given {
  const Option* option;
  std::string value;
};

struct Parsed {
  int command = -1;               // position in `commands`; -1 when none was named
  std::vector<Given> options;     // global ones and the command's, in no promised order
  std::vector<std::string> rest;  // for the command's Options::rest()
};

// How many of `args` are ours: all, unless the command takes the command line of another program,
// whose words mean nothing to us. `rest` is where that begins.
struct Extent {
  size_t own = 0;
  size_t rest = 0;
};
[[nodiscard]] Extent OwnWords(const std::vector<std::string>& args, const Options& global,
                              const std::vector<Grammar>& commands);

// `args` without the program's name.
[[nodiscard]] Result<Parsed> ParseArguments(const std::vector<std::string>& args,
                                            const Options& global,
                                            const std::vector<Grammar>& commands,
                                            Language language);

// The value of `--name VALUE` or `--name=VALUE` wherever it stands among our own words, "" when it
// does not: for --lang, which must be known before anything can be said about a wrong command line.
[[nodiscard]] std::string_view PeekOption(const std::vector<std::string>& args,
                                          std::string_view name);

}  // namespace gpusight::cli
