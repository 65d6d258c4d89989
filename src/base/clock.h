// SPDX-License-Identifier: Apache-2.0
// The time, passed in. Code outside cli/ never asks the system for it, so that tests set it.
// SystemClock is the real one; testing/fake_clock.h is moved by hand. Next: fd.h.
#pragma once

#include <compare>
#include <cstdint>

namespace gpusight {

// Nanoseconds. `WallTime` counts from 1970-01-01 UTC and may jump; `MonoTime` never goes back and
// its zero means nothing. They are distinct types so that they cannot be mixed up.
struct WallTime {
  int64_t ns = 0;
  friend auto operator<=>(const WallTime&, const WallTime&) = default;
  double seconds() const { return static_cast<double>(ns) / 1e9; }
};
struct MonoTime {
  int64_t ns = 0;
  friend auto operator<=>(const MonoTime&, const MonoTime&) = default;
  friend int64_t operator-(MonoTime a, MonoTime b) { return a.ns - b.ns; }  // nanoseconds
};

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual WallTime Wall() const = 0;
  virtual MonoTime Mono() const = 0;
};

class SystemClock : public Clock {
 public:
  WallTime Wall() const override;
  MonoTime Mono() const override;
};

}  // namespace gpusight
