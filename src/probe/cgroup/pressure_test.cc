// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/pressure.h"

#include <gtest/gtest.h>

namespace gpusight::cgroup {
namespace {

TEST(ParsePressure, ReadsBothLines) {
  const auto pressure = ParsePressure(
      "some avg10=2.10 avg60=1.32 avg300=1.06 total=12765413\n"
      "full avg10=0.18 avg60=0.03 avg300=0.04 total=2885536\n");
  ASSERT_TRUE(pressure);
  EXPECT_DOUBLE_EQ(pressure->some.average10, 0.021);
  EXPECT_DOUBLE_EQ(pressure->some.average300, 0.0106);
  EXPECT_EQ(pressure->some.total_us, 12765413u);
  ASSERT_TRUE(pressure->full);
  EXPECT_DOUBLE_EQ(pressure->full->average10, 0.0018);
}

TEST(ParsePressure, DoesWithoutTheFullLineOfOldKernels) {
  const auto pressure = ParsePressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
  ASSERT_TRUE(pressure);
  EXPECT_FALSE(pressure->full);
}

TEST(ParsePressure, RefusesWhatCannotBe) {
  for (const char* text :
       {"", "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", "some avg10=0.00 avg60=0.00\n",
        "some avg10=nan avg60=0.00 avg300=0.00 total=0\n", "some avg10 avg60 avg300 total\n",
        "some avg10=101.00 avg60=0.00 avg300=0.00 total=0\n",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=-1\n"}) {
    EXPECT_FALSE(ParsePressure(text)) << text;
  }
}

}  // namespace
}  // namespace gpusight::cgroup
