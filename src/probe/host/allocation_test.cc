// SPDX-License-Identifier: Apache-2.0
// The probe allocates nothing from frame to frame while the same processes run. A program of its
// own, because it replaces operator new.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "probe/host/host_probe.h"
#include "testing/allocations.h"
#include "testing/fake_clock.h"

namespace gpusight::host {
namespace {

TEST(HostProbe, AllocatesNothingInSteadyState) {
  std::vector<int> children;
  for (int i = 0; i < 8; ++i) {
    const int pid = fork();
    if (pid == 0) {
      pause();
      _exit(0);
    }
    children.push_back(pid);
  }
  FakeClock clock;
  const Root root;
  Log log(clock, [](std::string_view) {});
  ProbeOptions options;
  options.threads = true;
  Probe probe(options, clock, root, log);
  Frame frame;
  const auto sample = [&] {
    clock.Advance(0.5);  // every tenth frame is one of the slow lane
    // Half of them are on a device, the others are found as their relatives.
    SetProcessCount(frame, 4);
    for (size_t i = 0; i < 4; ++i) {
      frame.processes[i].pid = children[i];
      frame.processes[i].uses.resize(1);
    }
    frame.probes.clear();
    const uint64_t before = AllocationCount();
    probe.Sample(frame);
    return AllocationCount() - before;
  };
  for (int warm = 0; warm < 24; ++warm) sample();
  // A process that starts on the machine meanwhile may make the tree grow, but not in each frame.
  int clean = 0;
  for (int i = 0; i < 60; ++i) clean += sample() == 0 ? 1 : 0;
  EXPECT_GE(clean, 45);
  for (const int child : children) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
}

}  // namespace
}  // namespace gpusight::host
