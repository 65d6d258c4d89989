// SPDX-License-Identifier: Apache-2.0
// The parts of Update(), one file each: update_main.cc, update_dialog.cc, update_input.cc.
#pragma once

#include "tui/dialog.h"
#include "tui/layout.h"
#include "tui/update.h"

namespace gpusight::tui {

Effect MainKey(State& state, const Key& key);
Effect PageKey(State& state, const Key& key);
Effect DialogKey(State& state, const Key& key);
Effect InputKey(State& state, const Key& key);  // typing a search or a filter

Effect Perform(State& state, Action action);

// The dialog's item was chosen: Enter, or a click.
Effect Choose(State& state);

void SelectRow(State& state, int row);
void SortBy(State& state, Column column);
void FocusOn(State& state, const std::string& device_key);
// Selects the next process that matches the search; `direction` is 1 or -1.
void FindMatch(State& state, int direction, bool from_here);

// Scrolls so that what is selected can be seen, and clamps every position.
void KeepInView(State& state);

}  // namespace gpusight::tui
