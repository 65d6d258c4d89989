// SPDX-License-Identifier: Apache-2.0
#include "cli/top_loop.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "cli/top_signal.h"
#include "model/text/top.h"
#include "tui/render.h"
#include "tui/signals.h"

namespace gpusight::cli {
namespace {

sigset_t Handled() {
  return SignalSet({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH});
}

}  // namespace

ScreenSignals::ScreenSignals() {
  const sigset_t set = Handled();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  fd_ = UniqueFd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  impatience_.emplace(SignalSet({SIGINT, SIGTERM, SIGHUP, SIGQUIT}));
}

ScreenSignals::~ScreenSignals() {
  const sigset_t set = Handled();
  impatience_.reset();
  // What is still pending was meant for the screen, which is gone.
  while (Next() != 0) {
  }
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

int ScreenSignals::Next() {
  signalfd_siginfo info{};
  return read(fd_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)
             ? static_cast<int>(info.ssi_signo)
             : 0;
}

void ScreenSignals::StopHere() {
  const sigset_t stop = SignalSet({SIGTSTP});
  struct sigaction action{};
  struct sigaction before{};
  action.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &action, &before);
  kill(0, SIGTSTP);                              // the whole job, as the terminal would
  pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);  // here it stops
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);
  sigaction(SIGTSTP, &before, nullptr);
}

TopLoop::TopLoop(tui::State& state, tui::Terminal& terminal, TopSource& source,
                 ScreenSignals& signals, const Clock& clock)
    : state_(state), terminal_(terminal), source_(source), signals_(signals), clock_(clock) {}

void TopLoop::Run() {
  tui::Update(state_, terminal_.MeasureSize());
  while (!quit_) {
    Tick();
    terminal_.Show(tui::Render(state_));
    Wait();
  }
}

void TopLoop::Tick() { tui::Update(state_, clock_.Wall(), clock_.Mono()); }

void TopLoop::Wait() {
  pollfd fds[3] = {
      {STDIN_FILENO, POLLIN, 0}, {signals_.fd(), POLLIN, 0}, {source_.fd(), POLLIN, 0}};
  // The clock in the header ticks on the second.
  const int64_t into_second = clock_.Wall().ns / 1'000'000 % 1000;
  poll(fds, 3, static_cast<int>(std::clamp<int64_t>(1001 - into_second, 1, 1001)));
  Tick();
  if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) quit_ = true;
  if (fds[1].revents & POLLIN) ReadSignals();
  if (fds[2].revents & POLLIN) source_.Feed(state_);
  if (fds[0].revents & POLLIN) ReadInput();
}

void TopLoop::ReadSignals() {
  while (const int signal = signals_.Next()) {
    switch (signal) {
      case SIGWINCH:
        tui::Update(state_, terminal_.MeasureSize());
        break;
      case SIGTSTP:
        Suspend();
        break;
      case SIGCONT:  // whatever happened to the terminal meanwhile
        terminal_.Return();
        tui::Update(state_, terminal_.MeasureSize());
        break;
      default:
        quit_ = true;
    }
  }
}

void TopLoop::ReadInput() {
  while (!quit_) {
    const auto input = terminal_.Read(clock_.Mono());
    if (!input) return;
    if (const auto* key = std::get_if<tui::Key>(&*input)) {
      Act(tui::Update(state_, *key));
    } else {
      Act(tui::Update(state_, std::get<tui::Mouse>(*input)));
    }
  }
}

void TopLoop::Act(const tui::Effect& effect) {
  source_.Watch(state_.mode == tui::Mode::kProcess && state_.opened.translated ? state_.opened.pid
                                                                               : 0);
  if (effect.quit) quit_ = true;
  if (effect.redraw) terminal_.Redraw();
  if (effect.suspend) Suspend();
  if (effect.interval) source_.SetInterval(*effect.interval);
  if (effect.speed) source_.SetSpeed(*effect.speed);
  if (effect.seek != 0) source_.Seek(effect.seek);
  if (effect.request) {
    const Language language = state_.settings.language;
    const auto sent = SendSignal(*effect.request, language);
    const std::string name = tui::SignalName(effect.request->signal);
    tui::Tell(state_,
              sent ? Say(language, text::kTopSent, name, effect.request->target.key.pid)
                   : sent.error().what,
              !sent);
  }
}

void TopLoop::Suspend() {
  terminal_.Leave();
  ScreenSignals::StopHere();
  terminal_.Return();
  tui::Update(state_, terminal_.MeasureSize());
}

}  // namespace gpusight::cli
