// SPDX-License-Identifier: Apache-2.0
// What a main thread was doing, out of one look at its stack: by the names of frames, since
// built-in functions (Tensor.item(), Tensor.to()) have no frame of their own. Pure. Next: window.h.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpusight::diagnose {

// Doing bits of window.h.
[[nodiscard]] uint8_t DoingOf(std::string_view stack);

}  // namespace gpusight::diagnose
