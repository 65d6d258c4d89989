// SPDX-License-Identifier: Apache-2.0
// When to sample: absolute deadlines that do not drift, and a wait that a signal ends. `log` and
// `--watch` run on it; tests run it on a fake clock. Next: log.cc.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/clock.h"
#include "base/fd.h"
#include "base/result.h"
#include "cli/impatience.h"

namespace gpusight::cli {

enum class Wake : uint8_t {
  kDeadline,
  kStop,        // SIGINT or SIGTERM
  kHangUp,      // SIGHUP
  kReaderGone,  // nobody reads our output any more
};

class Waiter {
 public:
  virtual ~Waiter() = default;
  // Returns kDeadline at once when it has passed and no signal is pending.
  virtual Wake WaitUntil(MonoTime deadline) = 0;
};

// What SIGHUP means to a command: that its terminal is gone, or that it reopens its file.
enum class HangUp : uint8_t { kEnds, kReopens };

// Blocks SIGINT, SIGTERM and SIGHUP in this thread, and so in all that it starts, for as long as
// it lives, and takes them in WaitUntil() only: what is being written is finished. Where that does
// not end, those that end the command end the program after three seconds.
class SignalWaiter : public Waiter {
 public:
  // `output`: a descriptor whose reader may go away, or -1.
  SignalWaiter(const Clock& clock, int output, HangUp hang_up);
  ~SignalWaiter() override;
  SignalWaiter(const SignalWaiter&) = delete;
  SignalWaiter& operator=(const SignalWaiter&) = delete;
  Wake WaitUntil(MonoTime deadline) override;

 private:
  const Clock& clock_;
  int output_;
  UniqueFd signals_;
  std::optional<Impatience> impatience_;
};

// SIGHUP before a SignalWaiter is there: kept until there is one, or until it may end the program.
void HoldHangUp();
void AllowHangUp();

struct Schedule {
  double interval = 5;     // seconds
  double for_seconds = 0;  // ends after this time; a sample due exactly then is taken. 0: never
  uint64_t count = 0;      // ends after that many samples; 0: never
};

// What the caller does with a deadline; `last` when no other will follow. False ends the loop.
using OnSample = std::function<Result<bool>(MonoTime planned, bool last)>;

// Calls `sample` now and at every multiple of the interval after now. A sample that takes longer
// than the interval makes it skip the deadlines that passed; it never piles up. Returns whether a
// signal (or a reader that left) ended it. Without `hang_up`, SIGHUP ends it too.
[[nodiscard]] Result<bool> RunSchedule(const Schedule& schedule, const Clock& clock, Waiter& waiter,
                                       const OnSample& sample,
                                       const std::function<void()>& hang_up);

}  // namespace gpusight::cli
