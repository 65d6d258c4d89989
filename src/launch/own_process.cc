// SPDX-License-Identifier: Apache-2.0
#include "launch/own_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <vector>

#include "base/text.h"

namespace gpusight::launch {
namespace {

// The number of the system call, for headers that lack it.
#ifndef SYS_close_range
#define SYS_close_range 436
#endif

void CloseRange(unsigned first, unsigned last) {
  if (first > last) return;
  if (syscall(SYS_close_range, first, last, 0) == 0) return;
  // A kernel before 5.9: one by one, those that are open.
  const auto names = ListFolder("/proc/self/fd");
  if (!names) return;
  for (const std::string& name : *names) {
    const auto fd = ParseNumber<unsigned>(name);
    if (fd && *fd >= first && *fd <= last) close(static_cast<int>(*fd));
  }
}

}  // namespace

void CloseAllBut(std::vector<int> keep) {
  std::sort(keep.begin(), keep.end());
  unsigned next = 3;
  for (const int fd : keep) {
    if (fd < 3) continue;
    CloseRange(next, static_cast<unsigned>(fd) - 1);
    next = static_cast<unsigned>(fd) + 1;
  }
  CloseRange(next, ~0u);
}

void ReleaseStandardDescriptors(int count) {
  const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int fd = 0; fd < count; ++fd) {
    if (null.valid()) {
      dup2(null.get(), fd);
    } else {
      close(fd);
    }
  }
}

OwnProcess StartOwn(Where where, const char* name, std::vector<int> keep,
                    const std::function<int(int channel)>& body) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == -1) return {};
  UniqueFd ours(ends[0]);
  UniqueFd theirs(ends[1]);
  const pid_t pid = fork();
  if (pid != 0) {
    if (pid == -1) return {};
    return {.pid = pid, .channel = std::move(ours)};
  }
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  if (where == Where::kOwnSession) setsid();
  prctl(PR_SET_NAME, name);
  ReleaseStandardDescriptors();
  keep.push_back(theirs.get());
  (void)ours.Release();
  CloseAllBut(std::move(keep));
  _exit(body(theirs.get()));
}

}  // namespace gpusight::launch
