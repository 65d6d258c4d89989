// SPDX-License-Identifier: Apache-2.0
// Which processes the table shows, in which order: filter, sort, tree. Next: layout.h.
#pragma once

#include "tui/state.h"

namespace gpusight::tui {

// Builds state.rows anew from the frame and keeps the selected process selected: by identity, or,
// when it is gone, the one that took its place.
void RebuildRows(State& state);

}  // namespace gpusight::tui
