// SPDX-License-Identifier: Apache-2.0
// The boxes in the middle of the screen: lists to choose from (sort, columns, signal) and the
// question before a signal is sent. What they contain is a function of the state, so that drawing,
// keys and mouse agree. Next: signals.h.
#pragma once

#include <string>
#include <vector>

#include "tui/pane.h"
#include "tui/state.h"

namespace gpusight::tui {

struct Dialog {
  std::string title;
  std::vector<std::string> lines;  // text above the list
  std::vector<std::string> items;  // to choose from; empty for a question
  std::string hint;                // below
};

// Empty unless state.mode is a dialog.
[[nodiscard]] Dialog DialogOf(const State& state);

// The size that it would like, its frame included; {} for none.
[[nodiscard]] Size DialogSize(const State& state);

// The item in that row of a dialog's area; -1 for none.
[[nodiscard]] int DialogItemAt(const State& state, const Rect& area, int row);

void DrawDialog(const Pane& pane, const State& state);

}  // namespace gpusight::tui
