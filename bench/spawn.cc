// SPDX-License-Identifier: Apache-2.0
// Runs one command with its output thrown away and prints what it cost as one line of JSON: wall
// time from before the start to after the end, CPU and peak memory. A program of its own because
// the peak that the kernel reports for a child includes its parent's at the fork, and a Python
// harness is larger than what is measured. Usage: bench_spawn COMMAND [ARGUMENT...]
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <cstdio>

extern char** environ;

namespace {

double Milliseconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) * 1e-3;
}

double Now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return fprintf(stderr, "usage: bench_spawn COMMAND [ARGUMENT...]\n"), 2;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  const double begin = Now();
  pid_t pid = 0;
  if (posix_spawnp(&pid, argv[1], &actions, nullptr, argv + 1, environ) != 0) {
    return perror(argv[1]), 127;
  }
  int status = 0;
  rusage usage{};
  wait4(pid, &status, 0, &usage);
  printf("{\"wall_ms\":%.3f,\"user_ms\":%.3f,\"system_ms\":%.3f,\"peak_kib\":%ld,\"exit\":%d}\n",
         Now() - begin, Milliseconds(usage.ru_utime), Milliseconds(usage.ru_stime), usage.ru_maxrss,
         WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}
