// SPDX-License-Identifier: Apache-2.0
// Ends the program for a signal that nobody takes: a thread that is stuck in a write to a full pipe
// or in a driver that hangs never gets round to its signalfd. Next: schedule.h and top_loop.h,
// which block the signals and take them.
#pragma once

#include <csignal>
#include <initializer_list>
#include <thread>

#include "base/fd.h"

namespace gpusight::cli {

[[nodiscard]] sigset_t SignalSet(std::initializer_list<int> signals);

// Watches, in a thread of its own, for signals of `signals` that stay pending for three seconds,
// and then lets them do what they do by default. They must be blocked in all other threads.
class Impatience {
 public:
  explicit Impatience(const sigset_t& signals);
  ~Impatience();
  Impatience(const Impatience&) = delete;
  Impatience& operator=(const Impatience&) = delete;

 private:
  void Watch() const;

  sigset_t signals_;
  UniqueFd pending_, end_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace gpusight::cli
