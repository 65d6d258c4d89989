// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/process_use.h"

#include <gtest/gtest.h>

namespace gpusight::nvml {
namespace {

constexpr uint64_t kNow = 1'796'038'667'000'000;

ProcessUtilization Row(uint32_t pid, uint64_t time_us, uint32_t sm) {
  return {pid, time_us, sm, 1, 0, 0};
}

TEST(ProcessUse, KnowsNothingBeforeTheFirstAnswer) { EXPECT_FALSE(ProcessUse().Of(600).known); }

TEST(ProcessUse, CallsAProcessWithoutARowIdle) {
  ProcessUse use;
  uint64_t rejected = 0;
  use.Take({}, kNow, rejected);
  EXPECT_TRUE(use.Of(600).known);
  EXPECT_EQ(use.Of(600).sm, 0);
  EXPECT_EQ(rejected, 0u);
}

TEST(ProcessUse, GivesEachProcessItsRow) {
  ProcessUse use;
  uint64_t rejected = 0;
  const ProcessUtilization rows[] = {Row(694, kNow, 47), Row(418, kNow, 53)};
  use.Take(rows, kNow, rejected);
  EXPECT_EQ(use.Of(418).sm, 53);
  EXPECT_EQ(use.Of(694).sm, 47);
}

TEST(ProcessUse, DropsJunkRows) {
  ProcessUse use;
  uint64_t rejected = 0;
  const ProcessUtilization rows[] = {Row(0, kNow, 50), Row(418, kNow, 37100), Row(419, 0, 50),
                                     Row(4294967295, kNow, 3), Row(420, kNow, 12)};
  use.Take(rows, kNow, rejected);
  EXPECT_EQ(rejected, 4u);
  EXPECT_EQ(use.Of(420).sm, 12);
  EXPECT_EQ(use.Of(418).sm, 0);
}

TEST(ProcessUse, DropsRowsThatWereSeenBefore) {
  ProcessUse use;
  uint64_t rejected = 0;
  const ProcessUtilization rows[] = {Row(418, kNow, 53)};
  use.Take(rows, kNow, rejected);
  use.Take(rows, kNow, rejected);
  EXPECT_EQ(rejected, 1u);
  EXPECT_EQ(use.Of(418).sm, 0);
}

TEST(ProcessUse, KeepsTheNewestRowOfAProcess) {
  ProcessUse use;
  uint64_t rejected = 0;
  const ProcessUtilization rows[] = {Row(418, kNow - 200'000, 10), Row(418, kNow, 53),
                                     Row(418, kNow - 400'000, 20)};
  use.Take(rows, kNow, rejected);
  EXPECT_EQ(use.Of(418).sm, 53);
  EXPECT_EQ(rejected, 0u);
}

// Inside a PID namespace the driver names its processes by their inner number and outsiders by
// the host's, so one number can mean two processes.
TEST(ProcessUse, BelievesNeitherOfTwoRowsOfOnePidAndMoment) {
  ProcessUse use;
  uint64_t rejected = 0;
  const ProcessUtilization rows[] = {Row(2, kNow, 10), Row(2, kNow, 53)};
  use.Take(rows, kNow, rejected);
  EXPECT_FALSE(use.Of(2).known);
  EXPECT_EQ(rejected, 1u);
}

}  // namespace
}  // namespace gpusight::nvml
