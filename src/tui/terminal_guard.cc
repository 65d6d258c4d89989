// SPDX-License-Identifier: Apache-2.0
#include "tui/terminal_guard.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "tui/terminal_rescue.h"

namespace gpusight::tui {
namespace {

struct Message {
  bool armed = false;
  termios before{}, ours{};  // settings to go back to, and those of our screen
};

// A signal handler can reach nothing but globals.
int g_line = -1;
termios g_before;

// A shell that was faster has its own settings in force already.
bool Same(const termios& a, const termios& b) {
  return a.c_iflag == b.c_iflag && a.c_oflag == b.c_oflag && a.c_cflag == b.c_cflag &&
         a.c_lflag == b.c_lflag;
}

[[noreturn]] void Watch(int line) {
  // Not reached by what is meant for the job in the foreground, and not stopped for writing.
  setpgid(0, 0);
  // By name both are found: whatever ends the program must not end its guard.
  for (int signal = 1; signal < NSIG; ++signal) std::signal(signal, SIG_IGN);
  prctl(PR_SET_NAME, "gpusight-guard");
  constexpr int kLine = STDERR_FILENO + 1;
  if (line != kLine) line = dup2(line, kLine);
  close_range(kLine + 1, ~0U, 0);
  Message last;
  for (;;) {
    Message message;
    const ssize_t n = read(line, &message, sizeof message);
    if (n < 0 && errno == EINTR) continue;
    if (n != sizeof message) break;
    last = message;
  }
  if (last.armed) {
    WriteRestore();
    termios now{};
    if (tcgetattr(STDIN_FILENO, &now) == 0 && Same(now, last.ours)) {
      tcsetattr(STDIN_FILENO, TCSANOW, &last.before);
    }
  }
  _exit(0);
}

void Send(const Message& message) {
  // Less than PIPE_BUF: it arrives in one piece or not at all.
  if (g_line >= 0) (void)!write(g_line, &message, sizeof message);
}

}  // namespace

TerminalGuard::TerminalGuard() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  UniqueFd out(ends[0]);
  line_ = UniqueFd(ends[1]);
  tcgetattr(STDIN_FILENO, &g_before);
  process_ = fork();
  if (process_ == 0) {
    line_.Reset();
    Watch(out.get());
  }
  if (process_ > 0) g_line = line_.get();
}

TerminalGuard::~TerminalGuard() {
  DisarmGuard();
  g_line = -1;
  line_.Reset();
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

void ArmGuard() {
  Message message{.armed = true, .before = g_before, .ours = {}};
  tcgetattr(STDIN_FILENO, &message.ours);
  Send(message);
}

void DisarmGuard() { Send({}); }

}  // namespace gpusight::tui
