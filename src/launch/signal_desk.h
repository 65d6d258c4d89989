// SPDX-License-Identifier: Apache-2.0
// What becomes of a signal that reached the launcher: whether the job gets it from us, and who in
// the job. A signal waits a moment for the witness's word, since the two of us are told one after
// the other. Pure: times and facts come from the caller. Next: launcher.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"

namespace gpusight::launch {

// A signal that the launcher received.
struct Incoming {
  int number = 0;
  int sender = 0;  // 0: the kernel, or somebody outside our PID namespace
  MonoTime at;
  bool for_leader = false;  // the kernel sends it to the leader of a session alone, which we are
};

// What is to be done with one.
enum class Delivery {
  kNone,      // the job has it
  kJob,       // to the job's first process
  kJobGroup,  // to the job's own process group
};

// Where the job is when a signal is to be delivered.
struct JobPlace {
  bool in_our_group = true;    // same process group as the launcher
  bool leads_a_group = false;  // it made a process group of its own
};

class SignalDesk {
 public:
  // `patience`: how long a signal waits for the witness, in nanoseconds.
  explicit SignalDesk(int64_t patience = 25'000'000) : patience_(patience) {}

  // The launcher got it.
  void Receive(const Incoming& signal) { waiting_.push_back(signal); }
  // The witness got it, too.
  void Confirm(int number, MonoTime at);
  // The job has just stopped: what stopped it needs no delivery any more, nor what woke it before.
  // (The kernel drops a SIGCONT that waits when a stop follows, also the witness's.)
  void ForgetJobControl();

  struct Decision {
    Incoming signal;
    Delivery delivery = Delivery::kNone;
  };
  // The next signal that is decided by now. Without a witness (it was killed) what the kernel sends
  // is taken for the group's, everything else for ours alone.
  [[nodiscard]] std::optional<Decision> Next(MonoTime now, const JobPlace& place, bool witness);

  // When Next() should be asked again; nullopt when nothing waits.
  [[nodiscard]] std::optional<MonoTime> due() const;

 private:
  struct Seen {
    int number = 0;
    MonoTime at;
  };
  bool TakeConfirmations(const Incoming& signal);

  int64_t patience_;
  std::vector<Incoming> waiting_;
  std::vector<Seen> seen_;
};

}  // namespace gpusight::launch
