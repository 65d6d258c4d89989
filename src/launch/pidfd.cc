// SPDX-License-Identifier: Apache-2.0
#include "launch/pidfd.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace gpusight::launch {
namespace {

// From the kernel's headers of 6.15, which few systems have: struct pidfd_info of 64 bytes.
struct PidfdInfo {
  uint64_t mask;
  uint64_t cgroup;
  std::array<uint32_t, 11> ids;
  int32_t exit_code;
};
static_assert(sizeof(PidfdInfo) == 64);
constexpr uint64_t kExit = 1 << 3;
constexpr unsigned long kGetInfo = _IOWR(0xFF, 11, PidfdInfo);

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

}  // namespace

// The kernel makes it close-on-exec.
UniqueFd OpenPidfd(pid_t pid) {
  return UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

std::optional<int> StatusOf(const UniqueFd& pidfd) {
  PidfdInfo info{};
  info.mask = kExit;
  if (!pidfd.valid() || ioctl(pidfd.get(), kGetInfo, &info) != 0) return std::nullopt;
  if ((info.mask & kExit) == 0) return std::nullopt;
  return info.exit_code;
}

}  // namespace gpusight::launch
