// SPDX-License-Identifier: Apache-2.0
// The loop of the live view: waits for a key, a frame, a signal or the next second, whichever
// comes first, changes the state and draws. It never waits for the driver.
#pragma once

#include <optional>

#include "base/clock.h"
#include "base/fd.h"
#include "cli/impatience.h"
#include "cli/top_source.h"
#include "tui/state.h"
#include "tui/terminal_ncurses.h"
#include "tui/update.h"

namespace gpusight::cli {

// Blocks the signals that the screen handles (interrupt, end, hang-up, stop, continue, resize) for
// as long as it lives, in this thread and in those started after it. On a terminal that takes no
// more output, those that end the view end the program after three
// seconds.
class ScreenSignals {
 public:
  ScreenSignals();
  ~ScreenSignals();
  ScreenSignals(const ScreenSignals&) = delete;
  ScreenSignals& operator=(const ScreenSignals&) = delete;

  int fd() const { return fd_.get(); }
  int Next();  // the number of one that is pending; 0 for none

  // Stops this process as Ctrl-Z does; returns when it goes on.
  static void StopHere();

 private:
  UniqueFd fd_;
  std::optional<Impatience> impatience_;
};

class TopLoop {
 public:
  TopLoop(tui::State& state, tui::Terminal& terminal, TopSource& source, ScreenSignals& signals,
          const Clock& clock);

  // Until the user quits, a signal ends it, or the terminal is gone.
  void Run();

 private:
  void Wait();
  void ReadSignals();
  void ReadInput();
  void Act(const tui::Effect& effect);
  void Suspend();
  void Tick();

  tui::State& state_;
  tui::Terminal& terminal_;
  TopSource& source_;
  ScreenSignals& signals_;
  const Clock& clock_;
  bool quit_ = false;
  bool input_ready_ = false;
};

}  // namespace gpusight::cli
