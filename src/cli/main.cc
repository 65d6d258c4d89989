// SPDX-License-Identifier: Apache-2.0
// The program `gpusight`: hands the real world to RunProgram(). Next: run.h.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "cli/last_words.h"
#include "cli/run.h"
#include "cli/schedule.h"

namespace {

// A missing standard descriptor would be given to the next file that is opened, and what we print
// would end up there. It is taken by one that cannot be used: printing fails as it should.
void HoldStandardDescriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) != -1) continue;
    if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gpusight;
  HoldStandardDescriptors();
  // A reader that went away must not kill us: writes fail with EPIPE instead, and we end quietly.
  std::signal(SIGPIPE, SIG_IGN);
  // Nor must a file size limit: writes fail with EFBIG, which is told like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  cli::HoldHangUp();
  cli::PrepareLastWords();
  const SystemClock clock;
  cli::FdOutput out(STDOUT_FILENO, "standard output");
  cli::FdOutput err(STDERR_FILENO, "standard error");
  cli::World world{
      .clock = clock, .out = out, .err = err, .env = [](const char* name) -> const char* {
        return std::getenv(name);
      }};
  world.variables = environ;
  world.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  world.err_is_terminal = isatty(STDERR_FILENO) == 1;
  world.in_is_terminal = isatty(STDIN_FILENO) == 1;
  winsize size{};
  if (world.out_is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    world.columns = size.ws_col;
  }
  if (auto self = ReadLink("/proc/self/exe")) world.program = *self;
  try {
    return cli::RunProgram(std::vector<std::string>(argv + 1, argv + argc), world);
  } catch (const std::system_error&) {  // std::thread: no more of them
    cli::SayLastWords();
  }
}
