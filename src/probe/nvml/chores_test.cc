// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/chores.h"

#include <gtest/gtest.h>

namespace gpusight::nvml {
namespace {

double spent = 0;  // seconds of CPU, as the pass under test sees them
double Spent() { return spent; }

struct ChoresTest : testing::Test {
  ProbeOptions options{.budget = 0.001};
  Driver driver;
  uint64_t failures = 0, rejected = 0;
  Pace pace;

  Pass At(double seconds) {
    return {driver,     options, MonoTime{static_cast<int64_t>(seconds * 1e9)},
            WallTime{}, 1.0,     failures,
            rejected,   Spent};
  }
  void Do(double at, double cost) {
    const Pass pass = At(at);
    const Timed timed(pass, pace);
    spent += cost;
  }
};

TEST_F(ChoresTest, WhatWasNeverDoneIsDue) { EXPECT_TRUE(IsDue(At(0), pace, 0.1, 10)); }

TEST_F(ChoresTest, NothingIsDueBeforeItsPeriod) {
  Do(0, 0);
  EXPECT_FALSE(IsDue(At(9), pace, 0.1, 10));
  EXPECT_TRUE(IsDue(At(10), pace, 0.1, 10));
}

TEST_F(ChoresTest, APollThatComesALittleEarlyCounts) {
  Do(0, 0);
  EXPECT_TRUE(IsDue(At(9.97), pace, 0.1, 10));
}

TEST_F(ChoresTest, WhatIsDearWaitsUntilItsCostIsSpreadThinEnough) {
  Do(0, 0.002);  // two milliseconds, of which 0.1 ms a second may be spent
  EXPECT_FALSE(IsDue(At(19), pace, 0.1, 0));
  EXPECT_TRUE(IsDue(At(20), pace, 0.1, 0));
}

TEST_F(ChoresTest, WhatIsCheapIsDueAtEveryPoll) {
  Do(0, 0.00005);
  EXPECT_TRUE(IsDue(At(1), pace, 0.1, 0));
}

TEST_F(ChoresTest, NothingWaitsWhenEverythingIsAskedFor) {
  Do(0, 0.002);
  Pass last = At(1);
  last.everything = true;
  EXPECT_TRUE(IsDue(last, pace, 0.1, 10));
}

TEST_F(ChoresTest, TheDearFirstTimeIsForgottenFast) {
  Do(0, 0.004);
  for (int i = 1; i < 6; ++i) Do(i, 0.0001);
  EXPECT_LT(pace.cost, 0.0003);
}

}  // namespace
}  // namespace gpusight::nvml
