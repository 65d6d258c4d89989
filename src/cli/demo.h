// SPDX-License-Identifier: Apache-2.0
// What the recorded machine of --demo cannot do by itself: live. Its files are those of one moment,
// so its processes would seem to have started long ago and to use no CPU. Next: demo.cc.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/fd.h"
#include "model/frame.h"

namespace gpusight::cli {

// Where the fake driver and the recorded machine lie, beside the program at this path: as built, or
// as installed.
[[nodiscard]] std::string FakeFolder(const std::string& program);

class DemoLife {
 public:
  // `root` is the recorded machine's, `now` when it goes on from its moment.
  DemoLife(const Root& root, WallTime now);

  // Moves start times as far as the machine was moved, and lets each process use the CPU as it did
  // on average since it started.
  void operator()(Frame& frame) const;

 private:
  double shift_ = 0;   // seconds from the recorded moment to `now`
  double moment_ = 0;  // seconds since 1970
};

}  // namespace gpusight::cli
