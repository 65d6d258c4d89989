// SPDX-License-Identifier: Apache-2.0
#include "launch/inherited.h"

#include <fcntl.h>
#include <unistd.h>

namespace gpusight::launch {

Inherited TakeOver() {
  Inherited inherited;
  for (int fd = 0; fd < 3; ++fd) {
    inherited.closed[static_cast<size_t>(fd)] = fcntl(fd, F_GETFD) == -1;
  }
  for (int fd = 0; fd < 3; ++fd) {
    if (!inherited.closed[static_cast<size_t>(fd)]) continue;
    if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1) break;
  }
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action{};
    inherited.ignored[static_cast<size_t>(signal)] =
        sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
  }
  sigprocmask(SIG_SETMASK, nullptr, &inherited.blocked);
  signal(SIGPIPE, SIG_IGN);
  return inherited;
}

void GiveBack(const Inherited& inherited) {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action{};
    action.sa_handler = inherited.ignored[static_cast<size_t>(number)] ? SIG_IGN : SIG_DFL;
    sigaction(number, &action, nullptr);  // refused for a few, which nobody can change
  }
  for (int fd = 0; fd < 3; ++fd) {
    if (inherited.closed[static_cast<size_t>(fd)]) close(fd);
  }
  sigprocmask(SIG_SETMASK, &inherited.blocked, nullptr);
}

}  // namespace gpusight::launch
