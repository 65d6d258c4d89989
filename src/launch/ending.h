// SPDX-License-Identifier: Apache-2.0
// How the job ended, as its parent saw it. The launcher tells the recorder, which is another
// process, in one packet. Next: launcher.h.
#pragma once

#include <sys/resource.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace gpusight::launch {

// A signal that somebody sent to us for the job.
struct Received {
  int number = 0;
  int sender = 0;  // its pid; 0: the kernel, or somebody outside our PID namespace
  WallTime at;
  std::string sender_name;  // at that time; "" when not known
};

struct Ending {
  int status = 0;  // as wait(2) has it
  rusage usage{};  // of the job and those of its children that it waited for
  WallTime began, ended;
  double seconds = 0;
  std::vector<Received> received;  // the last of them, oldest first

  [[nodiscard]] bool exited() const;
  [[nodiscard]] int code() const;    // when it exited
  [[nodiscard]] int signal() const;  // else
  [[nodiscard]] bool core() const;
};

[[nodiscard]] std::string Pack(const Ending& ending);
// nullopt for what Pack() did not make.
[[nodiscard]] std::optional<Ending> Unpack(std::string_view bytes);

// Ends this program as the job ended: dies of the same signal, without a core file of our own (the
// job's may have the same name). Returns the exit code where that cannot be done: the job's own, or
// 128 + signal when this is PID 1, which no signal kills.
[[nodiscard]] int EndLike(const Ending& ending);

}  // namespace gpusight::launch
