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
#include "cli/program.h"
#include "cli/schedule.h"

namespace {

// A descriptor that is closed would be given to the next file that is opened, and pages would go
// there. Closed again for every program that we start.
void FillStandardDescriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // Read only: what is written there is reported as lost.
    const int filler = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (filler < 0 || filler == fd) continue;
    (void)dup3(filler, fd, O_CLOEXEC);
    close(filler);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gpusight;
  const launch::Inherited inherited = launch::TakeOver();
  FillStandardDescriptors();
  // A file size limit must not kill us: writes fail with EFBIG, which is told like a full disk.
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
  world.inherited = inherited;
  world.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  world.err_is_terminal = isatty(STDERR_FILENO) == 1;
  world.in_is_terminal = isatty(STDIN_FILENO) == 1;
  winsize size{};
  if (world.out_is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    world.columns = size.ws_col;
  }
  if (world.err_is_terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) {
    world.err_columns = size.ws_col;
  }
  if (auto self = ReadLink("/proc/self/exe")) world.program = *self;
  try {
    return cli::RunProgram(std::vector<std::string>(argv + 1, argv + argc), world);
  } catch (const std::system_error&) {  // std::thread: no more of them
    cli::SayLastWords();
  }
}
