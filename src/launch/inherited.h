// SPDX-License-Identifier: Apache-2.0
// What this program got from whoever started it and changed for its own sake, so that a program
// that it starts in turn gets it unchanged: missing standard descriptors, ignored and blocked
// signals. Next: spawn.h.
#pragma once

#include <array>
#include <csignal>

namespace gpusight::launch {

struct Inherited {
  std::array<bool, 3> closed{};  // standard descriptors that were not open
  std::array<bool, NSIG> ignored{};
  sigset_t blocked{};
};

// Notes it all. Then takes missing standard descriptors by ones that cannot be used (else the next
// file would get the number, and what we print would end up there), and ignores SIGPIPE (a reader
// that went away must not kill us: writes fail with EPIPE instead). Call it first in main().
[[nodiscard]] Inherited TakeOver();

// Puts everything back as it was. Only between fork and exec: it closes descriptors. May be called
// wherever signal handlers may be.
void GiveBack(const Inherited& inherited);

}  // namespace gpusight::launch
