// SPDX-License-Identifier: Apache-2.0
#include "model/exit_facts.h"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <string_view>

namespace gpusight {
namespace {

// By number, as Linux counts them on x86 and ARM. sigabbrev_np(3) is too young for some systems.
constexpr std::array<std::string_view, 32> kNames = {
    "",     "HUP",  "INT",  "QUIT", "ILL",    "TRAP",   "ABRT",  "BUS",  "FPE",  "KILL", "USR1",
    "SEGV", "USR2", "PIPE", "ALRM", "TERM",   "STKFLT", "CHLD",  "CONT", "STOP", "TSTP", "TTIN",
    "TTOU", "URG",  "XCPU", "XFSZ", "VTALRM", "PROF",   "WINCH", "IO",   "PWR",  "SYS"};
static_assert(kNames[SIGUSR2] == "USR2" && kNames[SIGTERM] == "TERM" && kNames[SIGSYS] == "SYS");

}  // namespace

std::string SignalName(int number) {
  if (number > 0 && number < std::ssize(kNames)) {
    return fmt::format("SIG{}", kNames[static_cast<size_t>(number)]);
  }
  if (number == SIGRTMIN) return "SIGRTMIN";
  if (number > SIGRTMIN && number <= SIGRTMAX) return fmt::format("SIGRTMIN+{}", number - SIGRTMIN);
  return fmt::format("signal {}", number);
}

}  // namespace gpusight
