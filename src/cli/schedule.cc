// SPDX-License-Identifier: Apache-2.0
#include "cli/schedule.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>

namespace gpusight::cli {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

sigset_t Signals() { return SignalSet({SIGINT, SIGTERM, SIGHUP}); }

void MaskHangUp(int how) {
  const sigset_t set = SignalSet({SIGHUP});
  pthread_sigmask(how, &set, nullptr);
}

}  // namespace

void HoldHangUp() { MaskHangUp(SIG_BLOCK); }
void AllowHangUp() { MaskHangUp(SIG_UNBLOCK); }

SignalWaiter::SignalWaiter(const Clock& clock, int output, HangUp hang_up)
    : clock_(clock), output_(output) {
  const sigset_t set = Signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = UniqueFd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  impatience_.emplace(hang_up == HangUp::kEnds ? set : SignalSet({SIGINT, SIGTERM}));
}

SignalWaiter::~SignalWaiter() {
  impatience_.reset();
  const sigset_t set = Signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

Wake SignalWaiter::WaitUntil(MonoTime deadline) {
  for (;;) {
    const int64_t left = std::max<int64_t>(0, deadline - clock_.Mono());
    const timespec timeout{left / kSecond, left % kSecond};
    // No event is asked of the output: only its error, a pipe without a reader, wakes us.
    pollfd fds[] = {{signals_.get(), POLLIN, 0}, {output_, 0, 0}};
    const int ready = ppoll(fds, 2, &timeout, nullptr);
    if (ready < 0 && errno != EINTR) return Wake::kStop;
    if (ready > 0 && (fds[0].revents & POLLIN) != 0) {
      signalfd_siginfo info{};
      if (read(signals_.get(), &info, sizeof info) != sizeof info) continue;
      return info.ssi_signo == SIGHUP ? Wake::kHangUp : Wake::kStop;
    }
    if (ready > 0 && (fds[1].revents & POLLERR) != 0) return Wake::kReaderGone;
    if (clock_.Mono() >= deadline) return Wake::kDeadline;
  }
}

Result<bool> RunSchedule(const Schedule& schedule, const Clock& clock, Waiter& waiter,
                         const OnSample& sample, const std::function<void()>& hang_up) {
  const MonoTime start = clock.Mono();
  const auto interval =
      std::max<int64_t>(1, std::llround(schedule.interval * static_cast<double>(kSecond)));
  const auto length = std::llround(schedule.for_seconds * static_cast<double>(kSecond));
  int64_t tick = 0;
  for (uint64_t taken = 0;;) {
    const MonoTime planned{start.ns + tick * interval};
    const Wake wake = waiter.WaitUntil(planned);
    if (wake == Wake::kHangUp && hang_up) {
      hang_up();
      continue;
    }
    if (wake != Wake::kDeadline) return true;
    // What is left of the time may be too short for another sample.
    const auto over = [&](int64_t at) { return length > 0 && at * interval > length; };
    ++taken;
    const bool last = taken == schedule.count || over(tick + 1);
    const auto more = sample(planned, last);
    if (!more) return tl::unexpected(more.error());
    if (!*more || last) return false;
    tick = std::max(tick + 1, (clock.Mono() - start) / interval + 1);
    if (over(tick)) return false;
  }
}

}  // namespace gpusight::cli
