// SPDX-License-Identifier: Apache-2.0
// Asks a real PyTorch what it makes of PYTORCH_CUDA_ALLOC_CONF strings: the judge of
// src/cli/doctor/alloc_conf.cc. README.md beside this file says how it is built and run; it is not
// part of the build. Reads one string a line, prints: accept|warn|reject <tab> string <tab>
// message.
#include <c10/core/AllocatorConfig.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>

namespace {

// In a child process: the settings are global and some failures abort.
int Ask(const std::string& text) {
  int pipe_fd[2];
  if (pipe(pipe_fd) != 0) return 1;
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe_fd[1], STDERR_FILENO);
    try {
      c10::CachingAllocator::setAllocatorSettings(text);
    } catch (const std::exception& error) {
      std::string what = error.what();
      what = what.substr(0, what.find('\n'));
      dprintf(STDERR_FILENO, "%s", what.c_str());
      _exit(1);
    }
    _exit(0);
  }
  close(pipe_fd[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t n; (n = read(pipe_fd[0], buffer, sizeof buffer)) > 0;) said.append(buffer, n);
  close(pipe_fd[0]);
  int status = 0;
  waitpid(child, &status, 0);
  for (char& c : said) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  // Without a GPU the backend that was loaded is always "native", so naming the other one fails
  // on an assertion that says nothing about the string.
  const bool other_backend = said.find("parsed at load time") != std::string::npos;
  const bool ok = (WIFEXITED(status) && WEXITSTATUS(status) == 0) || other_backend;
  std::printf("%s\t%s\t%s\n",
              !ok                               ? "reject"
              : !said.empty() && !other_backend ? "warn"
                                                : "accept",
              text.c_str(), other_backend ? "" : said.c_str());
  return 0;
}

}  // namespace

int main() {
  if (dlopen("libc10_cuda.so", RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::puts(dlerror());
    return 1;
  }
  std::string line;
  while (std::getline(std::cin, line)) {
    std::fflush(stdout);
    if (Ask(line) != 0) return 1;
  }
}
