// SPDX-License-Identifier: Apache-2.0
// One subcommand. To add one: a file here with a class derived from Command and a function
// Make…(), and one line in registry.cc. Its texts go into model/text/. Next: context.h.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "cli/context.h"
#include "cli/exit_code.h"
#include "cli/options.h"

namespace gpusight::cli {

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string_view name() const = 0;
  virtual const Text& summary() const = 0;      // one line, for `gpusight --help`
  virtual const Text& description() const = 0;  // some sentences, for its own help and man page
  virtual bool hidden() const { return false; }
  // Whether SIGHUP, from the start of the program, asks it for something other than to end.
  virtual bool awaits_hang_up() const { return false; }
  // Declares the options and binds them to members of this object.
  virtual void Declare(Options& options) = 0;
  // Runs after the options were set. An Error is printed by the caller, once.
  virtual Result<ExitCode> Run(Context& context) = 0;
};

}  // namespace gpusight::cli
