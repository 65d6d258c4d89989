// SPDX-License-Identifier: Apache-2.0
// A process of ours that does nothing but receive signals in the group of the launcher and the job.
// What reaches the launcher may have been meant for the whole group (Ctrl-C, `kill -TERM -PGID`) or
// for every process in turn (systemd, Slurm): then the job has it already, and the launcher must
// not send it a second time; a second SIGINT or SIGTERM is what ends an orderly shutdown early. The
// kernel does not tell the launcher, but the witness has got the same signal. It also wakes a
// launcher that stopped with the job when somebody woke the job alone. Next: signal_desk.h.
#pragma once

#include <optional>

#include "launch/own_process.h"

namespace gpusight::launch {

class Witness {
 public:
  // Without the process (it could not be made, or was killed) it never has seen anything.
  void Start();
  void End() { process_.channel.Reset(); }
  Witness() = default;
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  [[nodiscard]] pid_t pid() const { return process_.pid; }
  [[nodiscard]] bool alive() const { return process_.channel.valid(); }
  // Readable when there is something to take; -1 without the process.
  [[nodiscard]] int fd() const { return process_.channel.get(); }
  // The next signal that it got.
  [[nodiscard]] std::optional<int> Take();

  // The launcher is going to stop because `job` is stopped.
  void Guard(pid_t job);
  // It runs again.
  void Unguard();

 private:
  OwnProcess process_;
};

}  // namespace gpusight::launch
