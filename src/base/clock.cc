// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <ctime>

namespace gpusight {
namespace {

int64_t Read(clockid_t id) {
  timespec t{};
  clock_gettime(id, &t);
  return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

}  // namespace

WallTime SystemClock::Wall() const { return {Read(CLOCK_REALTIME)}; }
MonoTime SystemClock::Mono() const { return {Read(CLOCK_MONOTONIC)}; }

}  // namespace gpusight
