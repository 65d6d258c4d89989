// SPDX-License-Identifier: Apache-2.0
// Puts the terminal back when the program crashes or is ended by a signal that nobody waits for
// (SIGUSR1, SIGALRM, …): a handler restores the settings from before and leaves the alternate
// screen, with calls that are safe in a handler only, then lets the signal do what it would have
// done.
#pragma once

namespace gpusight::tui {

// Before the terminal is changed: keeps its settings.
void PrepareRescue();
// After: from here on a crash is caught.
void ArmRescue();
void DisarmRescue();

// Plain text, the main screen, the cursor: for whatever is left in the terminal. Safe in a handler.
void WriteRestore();

}  // namespace gpusight::tui
