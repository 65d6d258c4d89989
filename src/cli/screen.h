// SPDX-License-Identifier: Apache-2.0
// What the commands with a full screen have in common: options, terminal, language, one screen as
// text. Next: top.cc and replay.cc, which bring the frames.
#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/options.h"
#include "cli/top_loop.h"

namespace gpusight::cli {

struct Screen {
  std::vector<std::string> devices;  // --device
  std::string sort = "memory";
  bool once = false, read_only = false, ascii = false, no_color = false;

  // `signals`: whether there can be signals to forbid.
  void Declare(Options& options, bool signals);
  // Refuses when there is no terminal to show it on.
  Result<void> Check(const Context& context, std::string_view command) const;
  void Prepare(const Context& context, tui::State& state, double interval) const;
  // Resolves --device by the first frame.
  Result<void> Choose(const Context& context, const Frame& frame, tui::State& state) const;
  // One screen as text.
  Result<ExitCode> Print(const Context& context, tui::State& state) const;
  // Until the user quits.
  Result<ExitCode> Show(const Context& context, tui::State& state, TopSource& source,
                        ScreenSignals& signals) const;
};

}  // namespace gpusight::cli
