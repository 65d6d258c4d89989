// SPDX-License-Identifier: Apache-2.0
// Starts the job and waits for it, as its parent. This process does nothing else: it owns no
// thread, no driver and no file of the recording, so that nothing of these can harm the job; the
// recorder is another process. It passes signals on (signal_desk.h), stops when the job stops and
// ends as the job ended, so that whoever started gpusight sees what the job would have shown.
// As PID 1 it also buries the orphans of its container. Next: spawn.h.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "launch/ending.h"
#include "launch/signal_desk.h"
#include "launch/spawn.h"
#include "launch/witness.h"

namespace gpusight::launch {

// Not thread-safe; one in a program: it takes over all signals.
class Launcher {
 public:
  Launcher(const Inherited& inherited, const Clock& clock);
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;

  // Starts the witness, then the program.
  [[nodiscard]] tl::expected<void, NotStarted> Start(const Program& program);

  // Gives up what the job may want to see closed: standard input and output, and every descriptor
  // that came from outside, but those in `keep`.
  void LetGo(std::vector<int> keep);

  // A process of ours whose status is wanted, too.
  void Remember(pid_t companion) { companion_ = companion; }
  [[nodiscard]] std::optional<int> companion_status() const { return companion_status_; }

  [[nodiscard]] pid_t job() const { return job_; }
  [[nodiscard]] pid_t witness() const { return witness_pid_; }
  [[nodiscard]] WallTime began() const { return began_; }

  // What else to listen to meanwhile; asked for anew each time, and called when the descriptor can
  // be read or was closed.
  struct Ear {
    int fd = -1;  // -1: nothing just now
    std::function<void()> hear;
  };
  using Ears = std::function<std::vector<Ear>()>;

  // Until the job has ended.
  [[nodiscard]] Ending Wait(const Ears& ears);

  // After that: until `done`, or `seconds` have passed, or somebody is impatient (SIGINT, SIGTERM,
  // SIGHUP, SIGQUIT).
  void WaitFor(const Ears& ears, const std::function<bool()>& done, double seconds);

  // Called when the size of the terminal may have changed.
  void OnResize(std::function<void()> call) { on_resize_ = std::move(call); }

  // Ends the witness and waits a moment for our own processes: not every PID 1 buries what we would
  // leave behind.
  void Dismiss();

 private:
  void Listen(const Ears& ears, int milliseconds);
  void ReadSignals();
  void Reap();
  void Deliver();
  void StopLike(int signal);
  [[nodiscard]] JobPlace Place() const;
  [[nodiscard]] int Patience() const;

  const Inherited& inherited_;
  const Clock& clock_;
  UniqueFd signals_;
  Witness witness_;
  SignalDesk desk_;
  pid_t job_ = -1;
  pid_t witness_pid_ = -1;  // until it was waited for
  pid_t companion_ = -1;
  std::optional<int> companion_status_;
  WallTime began_;
  MonoTime began_mono_;
  std::function<void()> on_resize_;
  bool ended_ = false;
  bool impatient_ = false;
  Ending ending_;
};

}  // namespace gpusight::launch
