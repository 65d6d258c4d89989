// SPDX-License-Identifier: Apache-2.0
// A frame that is used again costs no memory allocation, on a large machine and with processes
// that come and go. A test program of its own, because it replaces operator new.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testing/allocations.h"
#include "testing/fake_card.h"

namespace gpusight::nvml {
namespace {

uint64_t AllocationsOf(FakeCard& card, double from, double until) {
  uint64_t worst = 0;
  for (double time = from; time < until; time += 1) {
    card.MoveTo(time);
    const uint64_t before = AllocationCount();
    card.Again();
    worst = std::max(worst, AllocationCount() - before);
  }
  return worst;
}

TEST(CardAllocation, AFrameInSteadyStateAllocatesNothing) {
  FakeCard card({.processes = R"({"pid": 600, "memory_bytes": 1048576, "sm_percent": 50})",
                 .options = {.budget = 1}});
  for (int second = 1; second < 20; ++second) card.At(second);
  EXPECT_EQ(AllocationsOf(card, 20, 40), 0u);
}

TEST(CardAllocation, NorWithMigInstances) {
  FakeCard card({.devices = R"({"recording": "h200", "mig_mode": true, "mig": [
      {"uuid": "MIG-11111111-2222-3333-4444-555555555555", "gpu_instance": 1,
       "memory": {"total_bytes": 75000000000}, "gpm": {"2": 50}}]})",
                 .processes = R"({"pid": 600, "memory_bytes": 1048576, "gpu_instance": 1,
                                  "compute_instance": 0})"});
  for (int second = 1; second < 20; ++second) card.At(second);
  ASSERT_EQ(card.frame.devices.size(), 2u);
  EXPECT_EQ(AllocationsOf(card, 20, 40), 0u);
}

TEST(CardAllocation, NorOnEightDevicesWithTwoHundredProcessesEach) {
  FakeCard card({.devices = R"({"recording": "h200", "copies": 8})",
                 .processes = R"({"pid": 1000, "device": "all", "copies": 200,
                                  "memory_bytes": 1048576, "sm_percent": 1})",
                 .options = {.budget = 1}});
  for (int second = 1; second < 20; ++second) card.At(second);
  ASSERT_EQ(card.frame.processes.size(), 1600u);
  EXPECT_EQ(AllocationsOf(card, 20, 25), 0u);
}

}  // namespace
}  // namespace gpusight::nvml
