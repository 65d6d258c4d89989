// SPDX-License-Identifier: Apache-2.0
// Starts a program so that it cannot tell the difference from being started by the shell itself:
// same descriptors, group, session, terminal, signals, limits and folder; only its parent is
// another process. Next: launcher.h, which waits for it.
#pragma once

#include <sys/types.h>

#include <array>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "launch/inherited.h"

namespace gpusight::launch {

struct Program {
  std::vector<std::string> arguments;    // the first is the program: a path, or a name for PATH
  std::vector<std::string> environment;  // "NAME=value"
  std::array<int, 3> streams = {-1, -1, -1};  // instead of our own standard ones; -1: ours
};

// Why there is no such process.
struct NotStarted {
  enum class Step { kFork, kExec };
  Step step = Step::kFork;
  int error = 0;  // errno

  // Of the file: it is there, but what it needs to run (the interpreter of its first line, or the
  // dynamic loader) is not.
  bool no_interpreter = false;

  // 127 when there is no such program, 126 when it cannot be run, as shells have it.
  [[nodiscard]] int ExitCode() const;
};

// Waits until the new program runs, or has failed to. Variables that hold our own number because
// what they tell is meant for us alone (LISTEN_PID and WATCHDOG_PID of systemd) get the program's.
[[nodiscard]] tl::expected<pid_t, NotStarted> Spawn(const Program& program,
                                                    const Inherited& inherited);

// Becomes the program, where no process can be started beside it. Returns only when that fails.
[[nodiscard]] NotStarted ExecInPlace(const Program& program, const Inherited& inherited);

}  // namespace gpusight::launch
