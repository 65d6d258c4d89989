// SPDX-License-Identifier: Apache-2.0
#include "tui/terminal_rescue.h"

#include <termios.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

#include "tui/terminal_guard.h"

namespace gpusight::tui {
namespace {

// Whatever ends the program and is not waited for (cli/top_loop.cc) or ignored anyway.
constexpr std::array<int, 16> kFatal = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,   SIGABRT,   SIGSYS,
                                        SIGTRAP, SIGUSR1, SIGUSR2, SIGALRM,  SIGVTALRM, SIGPROF,
                                        SIGXCPU, SIGIO,   SIGPWR,  SIGSTKFLT};

// Mouse reports off, plain text, main screen, cursor on. Terminals ignore what they lack.
constexpr char kRestore[] = "\033[?1000l\033[?1006l\033[0m\033[?1049l\033[?25h\r\n";

// A handler can reach nothing but globals; there is one terminal per process.
termios g_before;
bool g_have_settings = false;
std::array<struct sigaction, kFatal.size()> g_old_actions;
volatile std::sig_atomic_t g_armed = 0;

void OnFatal(int signal) {
  if (g_armed) {
    g_armed = 0;
    WriteRestore();
    DisarmGuard();
    if (g_have_settings) tcsetattr(STDIN_FILENO, TCSANOW, &g_before);
  }
  raise(signal);  // SA_RESETHAND: now with its usual effect
}

}  // namespace

void WriteRestore() { (void)!write(STDOUT_FILENO, kRestore, sizeof kRestore - 1); }

void PrepareRescue() { g_have_settings = tcgetattr(STDIN_FILENO, &g_before) == 0; }

void ArmRescue() {
  struct sigaction action{};
  action.sa_handler = OnFatal;
  action.sa_flags = SA_RESETHAND | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kFatal.size(); ++i) {
    sigaction(kFatal[i], &action, &g_old_actions[i]);
    if (g_old_actions[i].sa_handler == SIG_IGN) sigaction(kFatal[i], &g_old_actions[i], nullptr);
  }
  g_armed = 1;
}

void DisarmRescue() {
  if (!g_armed) return;
  g_armed = 0;
  for (size_t i = 0; i < kFatal.size(); ++i) sigaction(kFatal[i], &g_old_actions[i], nullptr);
}

}  // namespace gpusight::tui
