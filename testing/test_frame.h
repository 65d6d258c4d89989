// SPDX-License-Identifier: Apache-2.0
// A hand-made frame for tests of export/ and cli/: two devices of which the second lacks
// much, processes of every sort, a container. The numbers add up. For tests only.
#pragma once

#include "model/frame.h"

namespace gpusight {

[[nodiscard]] Frame TestFrame();

}  // namespace gpusight
