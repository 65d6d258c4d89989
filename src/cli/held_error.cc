// SPDX-License-Identifier: Apache-2.0
#include "cli/held_error.h"

#include <fcntl.h>
#include <unistd.h>

namespace gpusight::cli {

HeldError::HeldError(int target) : target_(target) {
  if (isatty(target) != 1) return;
  int ends[2];
  // Not waiting: whoever writes too much must not hang.
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
  kept_ = UniqueFd(ends[0]);
  const UniqueFd in(ends[1]);
  UniqueFd before(fcntl(target, F_DUPFD_CLOEXEC, 3));
  if (before.valid() && dup2(in.get(), target) == target) before_ = std::move(before);
}

HeldError::~HeldError() {
  if (!before_.valid()) return;
  dup2(before_.get(), target_);
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(kept_.get(), buffer, sizeof buffer);
    // Nothing can be done when even standard error is gone.
    if (n <= 0 || write(target_, buffer, static_cast<size_t>(n)) != n) return;
  }
}

}  // namespace gpusight::cli
