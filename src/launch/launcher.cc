// SPDX-License-Identifier: Apache-2.0
#include "launch/launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>

#include "base/text.h"

namespace gpusight::launch {
namespace {

constexpr size_t kMostReceived = 64;
constexpr useconds_t kSettle = 10'000;  // microseconds

bool IsImpatience(int number) {
  return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT;
}

std::string NameOf(pid_t pid) {
  if (pid <= 0) return "";
  const auto name = ReadFile("/proc/" + std::to_string(pid) + "/comm");
  return name ? std::string(Trim(*name)) : "";
}

}  // namespace

// All signals are blocked and read from a descriptor: none can interrupt or end this process
// before the job, and none is lost, also where it was ignored (the job may listen to it later).
Launcher::Launcher(const Inherited& inherited, const Clock& clock)
    : inherited_(inherited), clock_(clock) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  // An ignored SIGCHLD would take the job's status away, others the signals themselves.
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  signals_ = UniqueFd(signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
}

tl::expected<void, NotStarted> Launcher::Start(const Program& program) {
  if (!signals_.valid()) return tl::unexpected(NotStarted{.error = EMFILE});
  witness_.Start();
  witness_pid_ = witness_.pid();
  began_ = clock_.Wall();
  began_mono_ = clock_.Mono();
  const auto pid = Spawn(program, inherited_);
  if (!pid) return tl::unexpected(pid.error());
  job_ = *pid;
  return {};
}

void Launcher::LetGo(std::vector<int> keep) {
  const bool keep_error = std::find(keep.begin(), keep.end(), STDERR_FILENO) != keep.end();
  ReleaseStandardDescriptors(keep_error ? 2 : 3);
  keep.push_back(signals_.get());
  keep.push_back(witness_.fd());
  CloseAllBut(std::move(keep));
}

JobPlace Launcher::Place() const {
  const pid_t group = getpgid(job_);
  return {.in_our_group = group == getpgrp(), .leads_a_group = group == job_};
}

int Launcher::Patience() const {
  const auto due = desk_.due();
  if (!due) return -1;
  return static_cast<int>(std::max<int64_t>(0, (*due - clock_.Mono()) / 1'000'000 + 1));
}

void Launcher::Listen(const Ears& ears, int milliseconds) {
  const std::vector<Ear> others = ears();
  std::vector<pollfd> fds{{signals_.get(), POLLIN, 0}, {witness_.fd(), POLLIN, 0}};
  for (const Ear& ear : others) fds.push_back({ear.fd, POLLIN, 0});
  if (poll(fds.data(), fds.size(), milliseconds) <= 0) return;
  if (fds[1].revents != 0) {
    while (const auto number = witness_.Take()) desk_.Confirm(*number, clock_.Mono());
  }
  if (fds[0].revents != 0) ReadSignals();
  for (size_t i = 0; i < others.size(); ++i) {
    if (fds[i + 2].revents != 0) others[i].hear();
  }
}

Ending Launcher::Wait(const Ears& ears) {
  Reap();
  while (!ended_) {
    Listen(ears, Patience());
    if (!ended_) Deliver();
  }
  return ending_;
}

void Launcher::ReadSignals() {
  signalfd_siginfo info{};
  while (read(signals_.get(), &info, sizeof info) == sizeof info) {
    const int number = static_cast<int>(info.ssi_signo);
    const auto sender = static_cast<pid_t>(info.ssi_pid);
    if (number == SIGCHLD) {
      Reap();
      continue;
    }
    // Our own (a write to a pipe without a reader), and the witness's, which wakes us.
    const bool has_sender = info.ssi_code <= 0;
    if (has_sender && (sender == getpid() || (sender == witness_.pid() && number == SIGCONT))) {
      continue;
    }
    if (number == SIGWINCH && on_resize_) on_resize_();
    impatient_ = impatient_ || IsImpatience(number);
    if (ended_) continue;
    if (ending_.received.size() == kMostReceived) ending_.received.erase(ending_.received.begin());
    const pid_t from = has_sender ? sender : 0;
    ending_.received.push_back({number, from, clock_.Wall(), NameOf(from)});
    // A terminal that goes away tells the leader of its session only.
    const bool for_leader = number == SIGHUP && info.ssi_code > 0 && getsid(0) == getpid();
    desk_.Receive({number, from, clock_.Mono(), for_leader});
  }
}

// Also those that are ours without our doing: the orphans when this is PID 1, and the children of
// the shell that called exec.
void Launcher::Reap() {
  while (true) {
    int status = 0;
    rusage usage{};
    const pid_t pid = wait4(-1, &status, WNOHANG | WUNTRACED, &usage);
    if (pid == -1 && errno == EINTR) continue;
    if (pid <= 0) return;
    if (!WIFSTOPPED(status)) {
      if (pid == companion_) companion_status_ = status;
      if (pid == witness_pid_) witness_pid_ = -1;
    }
    if (pid != job_) continue;
    if (WIFSTOPPED(status)) {
      StopLike(WSTOPSIG(status));
      continue;
    }
    ended_ = true;
    ending_.status = status;
    ending_.usage = usage;
    ending_.began = began_;
    ending_.ended = clock_.Wall();
    ending_.seconds = static_cast<double>(clock_.Mono() - began_mono_) * 1e-9;
  }
}

// The shell waits for us, so it must see us stop as it would see the job stop, else Ctrl-Z would
// leave the terminal with nobody.
void Launcher::StopLike(int signal) {
  // Who stops and wakes the whole group does it one process after the other: we may look between
  // our own wake-up and the job's. Stopping again would then leave the shell with a job that runs.
  usleep(kSettle);
  siginfo_t continued{};
  if (waitid(P_PID, static_cast<id_t>(job_), &continued, WCONTINUED | WNOHANG) == 0 &&
      continued.si_pid == job_) {
    return;
  }
  desk_.ForgetJobControl();
  // A shell that runs as the job made a group of its own and gave it the terminal. Ours takes the
  // terminal from there now, and will give it to the group that it knows: ours.
  const UniqueFd terminal(open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
  const pid_t group = getpgid(job_);
  const bool had_terminal =
      terminal.valid() && group != getpgrp() && tcgetpgrp(terminal.get()) == group;
  witness_.Guard(job_);
  raise(signal);  // SIGSTOP stops here
  sigset_t one, before;
  sigemptyset(&one);
  sigaddset(&one, signal);
  sigprocmask(SIG_UNBLOCK, &one, &before);  // the others here
  sigprocmask(SIG_SETMASK, &before, nullptr);
  witness_.Unguard();
  if (had_terminal && tcgetpgrp(terminal.get()) == getpgrp()) tcsetpgrp(terminal.get(), group);
}

void Launcher::Deliver() {
  while (const auto decision = desk_.Next(clock_.Mono(), Place(), witness_.alive())) {
    // The job is our child and was not waited for, so its number means nobody else.
    if (decision->delivery == Delivery::kJob) kill(job_, decision->signal.number);
    if (decision->delivery == Delivery::kJobGroup) kill(-job_, decision->signal.number);
  }
}

void Launcher::WaitFor(const Ears& ears, const std::function<bool()>& done, double seconds) {
  const MonoTime end{clock_.Mono().ns + static_cast<int64_t>(seconds * 1e9)};
  impatient_ = false;
  while (!impatient_ && !done()) {
    const int64_t left = end - clock_.Mono();
    if (left <= 0) return;
    constexpr int64_t kMostMilliseconds = 1'000'000;
    Listen(ears, static_cast<int>(std::min(left / 1'000'000 + 1, kMostMilliseconds)));
  }
}

void Launcher::Dismiss() {
  constexpr int64_t kMost = 200'000'000;  // nanoseconds
  const MonoTime end{clock_.Mono().ns + kMost};
  witness_.End();
  Reap();
  while (!impatient_ && (witness_pid_ != -1 || (companion_ != -1 && !companion_status_))) {
    const int64_t left = end - clock_.Mono();
    if (left <= 0) return;
    pollfd wait{signals_.get(), POLLIN, 0};
    if (poll(&wait, 1, static_cast<int>(left / 1'000'000 + 1)) == 1) ReadSignals();
  }
}

}  // namespace gpusight::launch
