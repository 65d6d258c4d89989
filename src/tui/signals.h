// SPDX-License-Identifier: Apache-2.0
// Which signals can be sent, and to whom none may be. The decision is made twice: here, from the
// frame, before a dialog opens; and in cli/top_signal.cc, from the kernel, right before the signal
// leaves.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tui/state.h"

namespace gpusight::tui {

struct SignalRow {
  int number;
  std::string_view name;  // "TERM"
  Text meaning;
};

[[nodiscard]] std::span<const SignalRow> SignalRows();
[[nodiscard]] std::string SignalName(int number);  // "SIGTERM"

// Why no signal may go to the process (null: none is selected); nullopt when one may.
[[nodiscard]] std::optional<std::string> WhyNoSignal(const State& state,
                                                     const ProcessSample* process);

}  // namespace gpusight::tui
