// SPDX-License-Identifier: Apache-2.0
#include "report/flame.h"

#include <gtest/gtest.h>

namespace gpusight::report {
namespace {

TEST(Flame, ACallersTimeIsThatOfAllItCalls) {
  const auto nodes = FlameOf({{"a;b", 3, 1, 1}, {"a;c", 1, 1, 1}, {"a", 1, 0, 1}});
  ASSERT_EQ(nodes.size(), 4U);
  EXPECT_EQ(nodes[0].idle, 5);
  EXPECT_EQ(nodes[1].name, "a");
  EXPECT_EQ(nodes[1].idle, 5);
  EXPECT_EQ(nodes[1].busy, 2);
  EXPECT_EQ(nodes[2].name, "b");
  EXPECT_EQ(nodes[2].depth, 2);
  EXPECT_EQ(nodes[3].name, "c");
}

TEST(Flame, SmallBranchesAreCutButCounted) {
  const auto nodes = FlameOf({{"a;b", 999, 0, 1}, {"a;c", 1, 0, 1}}, 0.01);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[1].idle, 1000);
}

TEST(Flame, WithoutIdleTimeItShowsTheBusyTime) {
  const auto nodes = FlameOf({{"a;b", 0, 3, 1}, {"c", 0, 5, 1}});
  ASSERT_EQ(nodes.size(), 4U);
  EXPECT_EQ(nodes[1].name, "c");
}

TEST(Flame, OfNothingIsNothing) { EXPECT_TRUE(FlameOf({}).empty()); }

TEST(Flame, AHostileStackIsCutInDepth) {
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += "f;";
  EXPECT_LE(FlameOf({{deep, 1, 0, 1}}).size(), 102U);
}

}  // namespace
}  // namespace gpusight::report
