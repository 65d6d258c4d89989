// SPDX-License-Identifier: Apache-2.0
#include "launch/witness.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/text.h"

namespace gpusight::launch {
namespace {

constexpr int kLookMilliseconds = 50;

struct ProcessState {
  char state = '?';
  pid_t parent = 0;
};

// Fields 3 and 4 of /proc/<pid>/stat, of which only these two are needed here.
std::optional<ProcessState> StateOf(pid_t pid) {
  const auto text = ReadFile(fmt::format("/proc/{}/stat", pid));
  const size_t close = text ? text->rfind(')') : std::string::npos;
  if (close == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(*text).substr(close + 1);
  const auto state = NextWord(rest);
  const auto parent = NextWord(rest);
  if (!state || !parent || state->size() != 1) return std::nullopt;
  return ProcessState{state->front(), ParseNumber<int>(*parent).value_or(0)};
}

class Body {
 public:
  Body(int channel, pid_t launcher) : channel_(channel), launcher_(launcher) {}

  int Run() {
    sigset_t all;
    sigfillset(&all);
    const int signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    while (true) {
      pollfd fds[] = {{signals, POLLIN, 0}, {channel_, POLLIN, 0}};
      const int ready = poll(fds, 2, guarded_ != 0 ? kLookMilliseconds : -1);
      if (ready == -1 && errno != EINTR) return 1;
      if (ready > 0 && fds[0].revents != 0) Report(signals);
      if (ready > 0 && fds[1].revents != 0 && !Obey()) return 0;
      if (guarded_ != 0) Look();
    }
  }

 private:
  void Report(int signals) {
    signalfd_siginfo info{};
    while (read(signals, &info, sizeof info) == sizeof info) {
      const int signal = static_cast<int>(info.ssi_signo);
      send(channel_, &signal, sizeof signal, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
  }

  // False when the launcher is gone.
  bool Obey() {
    pid_t job = 0;
    const ssize_t got = recv(channel_, &job, sizeof job, MSG_DONTWAIT);
    if (got == -1) return errno == EAGAIN || errno == EINTR;
    if (got != sizeof job) return false;
    // A /proc of another PID namespace shows somebody else under that number.
    const auto state = job != 0 ? StateOf(job) : std::nullopt;
    guarded_ = state && state->parent == launcher_ ? job : 0;
    return true;
  }

  // Until the launcher says that it runs: it may not have stopped yet when the job goes on already.
  void Look() const {
    const auto job = StateOf(guarded_);
    if (job && job->parent == launcher_ && (job->state == 'T' || job->state == 't')) return;
    const auto launcher = StateOf(launcher_);
    if (launcher && launcher->state == 'T') kill(launcher_, SIGCONT);
  }

  int channel_;
  pid_t launcher_;
  pid_t guarded_ = 0;
};

}  // namespace

void Witness::Start() {
  const pid_t launcher = getpid();
  process_ = StartOwn(Where::kSameGroup, "gpusight-signal", {},
                      [launcher](int channel) { return Body(channel, launcher).Run(); });
}

std::optional<int> Witness::Take() {
  int signal = 0;
  if (!alive()) return std::nullopt;
  const ssize_t got = recv(process_.channel.get(), &signal, sizeof signal, MSG_DONTWAIT);
  if (got == sizeof signal) return signal;
  if (got == 0) process_.channel.Reset();
  return std::nullopt;
}

void Witness::Guard(pid_t job) {
  if (alive()) send(process_.channel.get(), &job, sizeof job, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Witness::Unguard() { Guard(0); }

}  // namespace gpusight::launch
