// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/values.h"

#include <gtest/gtest.h>

namespace gpusight::cgroup {
namespace {

TEST(ParseCpuMax, ReadsQuotaAndPeriod) {
  EXPECT_DOUBLE_EQ(ParseCpuMax("200000 100000\n")->value, 2.0);
  EXPECT_DOUBLE_EQ(ParseCpuMax("50000 200000\n")->value, 0.25);
  EXPECT_TRUE(ParseCpuMax("max 100000\n")->unlimited);
  EXPECT_DOUBLE_EQ(ParseCpuMax("150000\n")->value, 1.5);
}

TEST(ParseCpuMax, RefusesNonsense) {
  for (const char* text : {"", "\n", "x 100000", "100000 0", "100000 -5", "100000 x"}) {
    EXPECT_FALSE(ParseCpuMax(text)) << text;
  }
}

TEST(ParseCpuQuota, KnowsMinusOne) {
  EXPECT_TRUE(ParseCpuQuota(-1, "100000\n")->unlimited);
  EXPECT_DOUBLE_EQ(ParseCpuQuota(400000, "100000\n")->value, 4.0);
  EXPECT_FALSE(ParseCpuQuota(400000, ""));
}

TEST(ParseLimit, KnowsTheLargestNumberOfV1) {
  EXPECT_TRUE(ParseLimit("max\n")->unlimited);
  EXPECT_TRUE(ParseLimit("9223372036854771712\n")->unlimited);  // pages of 4 KiB
  EXPECT_TRUE(ParseLimit("9223372036854710272\n")->unlimited);  // pages of 64 KiB
  EXPECT_FALSE(ParseLimit("34359738368\n")->unlimited);
  EXPECT_DOUBLE_EQ(ParseLimit("34359738368\n")->value, 34359738368.0);
  EXPECT_DOUBLE_EQ(ParseLimit("0\n")->value, 0);
  EXPECT_FALSE(ParseLimit("-1\n"));
  EXPECT_FALSE(ParseLimit(""));
}

TEST(ParseKey, FindsWholeWordsOnly) {
  const char* text = "oom 4\noom_kill 3\nnr_periods 0\n";
  EXPECT_EQ(ParseKey(text, "oom_kill"), 3u);
  EXPECT_EQ(ParseKey(text, "oom"), 4u);
  EXPECT_EQ(ParseKey(text, "nr_periods"), 0u);
  EXPECT_FALSE(ParseKey(text, "nr"));
  EXPECT_FALSE(ParseKey("oom_kill x\n", "oom_kill"));
  EXPECT_FALSE(ParseKey("", "oom_kill"));
}

TEST(CountCpuList, CountsRanges) {
  EXPECT_EQ(CountCpuList("0-3,8,10-11\n"), 7);
  EXPECT_EQ(CountCpuList("0\n"), 1);
  EXPECT_EQ(CountCpuList("0-255"), 256);
  EXPECT_EQ(CountCpuList("\n"), 0);
}

TEST(CountCpuList, RefusesNonsense) {
  for (const char* text : {"3-1", "a", "1-", "-1", "1,,2", "0-99999999", "0-4294967295", "1 2"}) {
    EXPECT_FALSE(CountCpuList(text)) << text;
  }
}

}  // namespace
}  // namespace gpusight::cgroup
