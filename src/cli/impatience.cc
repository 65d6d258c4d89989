// SPDX-License-Identifier: Apache-2.0
#include "cli/impatience.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdint>

namespace gpusight::cli {
namespace {

constexpr int kPatience = 3000;  // milliseconds; a sample and a line take far less

// A handler (curses has some) could get stuck in the same place. Ignored ones stay ignored.
void UseDefaults(const sigset_t& signals) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action{};
    if (sigismember(&signals, signal) != 1 || sigaction(signal, nullptr, &action) != 0) continue;
    if (action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

sigset_t SignalSet(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) sigaddset(&set, signal);
  return set;
}

Impatience::Impatience(const sigset_t& signals)
    : signals_(signals),
      pending_(signalfd(-1, &signals, SFD_CLOEXEC)),
      end_(eventfd(0, EFD_CLOEXEC)) {
  // Without descriptors nobody watches; a thread that could not be told to end would be worse.
  if (!pending_.valid() || !end_.valid()) return;
  thread_ = std::thread([this] { Watch(); });
  pthread_setname_np(thread_.native_handle(), "gpusight-stop");
}

Impatience::~Impatience() {
  if (!thread_.joinable()) return;
  const uint64_t one = 1;
  (void)!write(end_.get(), &one, sizeof one);
  thread_.join();
}

// Never reads the signals, so it takes none away.
void Impatience::Watch() const {
  pollfd fds[] = {{end_.get(), POLLIN, 0}, {pending_.get(), POLLIN, 0}};
  while (fds[0].revents == 0) {
    if (poll(fds, 2, -1) < 0 || (fds[1].revents & POLLIN) == 0) continue;
    if (poll(fds, 1, kPatience) != 0) continue;
    if (poll(fds, 2, 0) < 0 || (fds[1].revents & POLLIN) == 0) continue;
    UseDefaults(signals_);
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);  // here they end the program
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);    // one that is ignored does not
  }
}

}  // namespace gpusight::cli
