// SPDX-License-Identifier: Apache-2.0
// Which times can be true. Frames, samples and marks may come from a damaged or a hostile file, and
// from programs whose clock is wrong. Next: frame.h.
#pragma once

#include <algorithm>

#include "base/clock.h"

namespace gpusight {

inline constexpr int64_t kLastSaneTime = 4'000'000'000'000'000'000;  // ns, in 2096

// The nearest time between 1970 and 2096.
[[nodiscard]] constexpr WallTime Sane(WallTime time) {
  return {std::clamp<int64_t>(time.ns, 0, kLastSaneTime)};
}
[[nodiscard]] constexpr bool IsSane(WallTime time) { return Sane(time) == time; }

}  // namespace gpusight
