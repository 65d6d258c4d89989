// SPDX-License-Identifier: Apache-2.0
#include "cli/top_signal.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/fd.h"
#include "base/text.h"
#include "cli/reason.h"
#include "model/text/top.h"

namespace gpusight::cli {
namespace {

// Field 22 of /proc/<pid>/stat. The command in field 2 may hold blanks and parentheses, so the
// fields are counted from its last ')'.
std::optional<uint64_t> StartTicks(int pid) {
  const auto stat = ReadFile("/proc/" + std::to_string(pid) + "/stat");
  if (!stat) return std::nullopt;
  std::string_view rest = *stat;
  const size_t end = rest.rfind(')');
  if (end == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(end + 1);
  for (int field = 3; field < 22; ++field) {
    if (!NextWord(rest)) return std::nullopt;
  }
  const auto word = NextWord(rest);
  return word ? ParseNumber<uint64_t>(*word) : std::nullopt;
}

Result<void> SystemError(int number, int pid, Language language) {
  if (number == ESRCH) {
    return Fail(ErrorCode::kNotFound, Say(language, text::kTopRefuseGone, pid));
  }
  return Fail(number == EPERM ? ErrorCode::kNoPermission : ErrorCode::kIo,
              Say(language, text::kTopRefuseSystem, SystemReason(number, language)));
}

}  // namespace

Result<void> SendSignal(const tui::SignalRequest& request, Language language) {
  const int pid = request.target.key.pid;
  if (pid <= 1 || !request.target.key.translated || request.target.key.start_ticks == 0) {
    return Fail(ErrorCode::kUsage, Say(language, text::kTopRefuseUnsure, pid));
  }
  // The descriptor stays with the process that has the number now; glibc 2.36 has no wrapper that
  // all our systems share.
  const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!process.valid() && errno != ENOSYS) return SystemError(errno, pid, language);
  const auto start = StartTicks(pid);
  if (!start) return Fail(ErrorCode::kNotFound, Say(language, text::kTopRefuseGone, pid));
  if (*start != request.target.key.start_ticks) {
    return Fail(ErrorCode::kNotFound, Say(language, text::kTopRefuseChanged, pid));
  }
  const long sent = process.valid()
                        ? syscall(SYS_pidfd_send_signal, process.get(), request.signal, nullptr, 0)
                        : kill(pid, request.signal);
  if (sent != 0) return SystemError(errno, pid, language);
  return {};
}

}  // namespace gpusight::cli
