// SPDX-License-Identifier: Apache-2.0
// A clock that stands still until a test moves it. For tests only. Thread-safe.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace gpusight {

class FakeClock : public Clock {
 public:
  WallTime Wall() const override { return {wall_.load()}; }
  MonoTime Mono() const override { return {mono_.load()}; }
  void SetWall(WallTime time) { wall_ = time.ns; }
  void Advance(double seconds) {
    const auto ns = static_cast<int64_t>(seconds * 1e9);
    wall_ += ns;
    mono_ += ns;
  }

 private:
  std::atomic<int64_t> wall_{1'775'383'200'000'000'000};  // 2026-04-05 10:00:00 UTC
  std::atomic<int64_t> mono_{1'000'000'000};
};

}  // namespace gpusight
