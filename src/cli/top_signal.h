// SPDX-License-Identifier: Apache-2.0
// Sends a signal to a process that was chosen on the screen, and to no other: between the frame
// and now its number may have been given to somebody else.
#pragma once

#include "base/language.h"
#include "base/result.h"
#include "tui/update.h"

namespace gpusight::cli {

// Holds the process by a descriptor, checks that its start time is the one that the frame had,
// and only then signals. An error is a sentence for the last line of the screen.
[[nodiscard]] Result<void> SendSignal(const tui::SignalRequest& request, Language language);

}  // namespace gpusight::cli
