// SPDX-License-Identifier: Apache-2.0
// Hand-made frames and states for the tests of this folder: a machine with any number of devices
// and processes whose load follows a fixed pattern. For tests only.
#pragma once

#include "tui/state.h"

namespace gpusight::tui {

// Frame number `step` (one a second) of a machine; the numbers of each device add up.
[[nodiscard]] Frame MadeFrame(int devices, int processes, int step);

// A state that has seen `steps` frames.
struct Made {
  Size size{80, 24};
  int devices = 1;
  int processes = 2;
  int steps = 60;
  Language language = Language::kEnglish;
  bool ascii = false;
};
[[nodiscard]] State MadeState(const Made& made);

}  // namespace gpusight::tui
