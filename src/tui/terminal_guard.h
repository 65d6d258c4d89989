// SPDX-License-Identifier: Apache-2.0
// Puts the terminal back when gpusight is killed so hard that it cannot do so itself (SIGKILL, the
// OOM killer): a small process that does nothing but wait for our end. It shares what is open when
// it is made, so make it before the driver is. terminal_ncurses.cc arms it. Next:
// terminal_rescue.h.
#pragma once

#include <sys/types.h>

#include "base/fd.h"

namespace gpusight::tui {

// One at a time. Without it (no process to be had) everything works but for that one case.
class TerminalGuard {
 public:
  TerminalGuard();
  ~TerminalGuard();  // all is well: lets it go, and waits for it
  TerminalGuard(const TerminalGuard&) = delete;
  TerminalGuard& operator=(const TerminalGuard&) = delete;

 private:
  UniqueFd line_;  // the pipe's end for writing closes with us, however we end
  pid_t process_ = -1;
};

// Our end finds a full screen from here on, or no longer. They do nothing without a guard, and are
// safe in a signal handler.
void ArmGuard();
void DisarmGuard();

}  // namespace gpusight::tui
