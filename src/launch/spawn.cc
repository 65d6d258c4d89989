// SPDX-License-Identifier: Apache-2.0
#include "launch/spawn.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/fd.h"

namespace gpusight::launch {
namespace {

// The file that a name means, as execvp(3) finds it; "" when there is none.
std::string FileOf(const Program& program) {
  const std::string& name = program.arguments.front();
  const auto there = [](const std::string& path) { return access(path.c_str(), X_OK) == 0; };
  if (name.find('/') != std::string::npos) return there(name) ? name : "";
  std::string_view path = "/bin:/usr/bin";
  for (const std::string& variable : program.environment) {
    if (variable.starts_with("PATH=")) path = std::string_view(variable).substr(5);
  }
  while (true) {
    const size_t colon = std::min(path.find(':'), path.size());
    std::string file(path.substr(0, colon));
    file += (file.empty() ? "" : "/") + name;
    if (there(file)) return file;
    if (colon == path.size()) return "";
    path.remove_prefix(colon + 1);
  }
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Returns errno.
int Become(const Program& program, const Inherited& inherited, pid_t launcher) {
  std::vector<std::string> arguments = program.arguments;
  std::vector<std::string> environment = program.environment;
  for (std::string& variable : environment) {
    for (const std::string_view name : {"LISTEN_PID=", "WATCHDOG_PID="}) {
      if (variable == std::string(name) + std::to_string(launcher)) {
        variable = std::string(name) + std::to_string(getpid());
      }
    }
  }
  const std::vector<char*> argv = Pointers(arguments);
  std::vector<char*> envp = Pointers(environment);
  for (int fd = 0; fd < 3; ++fd) {
    const int own = program.streams[static_cast<size_t>(fd)];
    if (own != -1) dup2(own, fd);
  }
  environ = envp.data();  // execvp() takes PATH from it, and a script's shell its environment
  GiveBack(inherited);
  execvp(argv[0], argv.data());
  return errno;
}

NotStarted CannotExec(const Program& program, int error) {
  const bool there = error == ENOENT && !FileOf(program).empty();
  return {.step = NotStarted::Step::kExec, .error = error, .no_interpreter = there};
}

}  // namespace

int NotStarted::ExitCode() const { return error == ENOENT ? 127 : 126; }

tl::expected<pid_t, NotStarted> Spawn(const Program& program, const Inherited& inherited) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) == -1) {
    return tl::unexpected(NotStarted{.step = NotStarted::Step::kFork, .error = errno});
  }
  const UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  const pid_t launcher = getpid();
  const pid_t pid = fork();
  if (pid == -1) {
    return tl::unexpected(NotStarted{.step = NotStarted::Step::kFork, .error = errno});
  }
  if (pid == 0) {
    // No other thread exists, so the child of fork may do whatever it likes.
    const int error = Become(program, inherited, launcher);
    while (write(writer.get(), &error, sizeof error) == -1 && errno == EINTR) {
    }
    _exit(127);
  }
  writer.Reset();
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(reader.get(), &error, sizeof error);
  } while (got == -1 && errno == EINTR);
  if (got != sizeof error) return pid;  // exec closed the pipe
  while (waitpid(pid, nullptr, 0) == -1 && errno == EINTR) {
  }
  return tl::unexpected(CannotExec(program, error));
}

NotStarted ExecInPlace(const Program& program, const Inherited& inherited) {
  return CannotExec(program, Become(program, inherited, -1));
}

}  // namespace gpusight::launch
