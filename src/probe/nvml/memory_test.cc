// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/memory.h"

#include <gtest/gtest.h>

namespace gpusight::nvml {
namespace {

MemoryV2 Of(uint64_t total, uint64_t reserved, uint64_t free, uint64_t used) {
  return {kMemoryV2Version, total, reserved, free, used};
}

TEST(Settle, TakesADriverThatKeepsReservedApartAtItsWord) {
  // An idle H200, driver 580.
  const auto parts = Settle(Of(150'754'820'096, 644'939'776, 150'109'880'320, 0));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->used, 0u);
  EXPECT_EQ(parts->total, parts->used + parts->free + parts->reserved);
}

TEST(Settle, TakesReservedOutOfUsedWhereItWasCountedTwice) {
  const auto parts = Settle(Of(1000, 100, 600, 400));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->used, 300u);
  EXPECT_EQ(parts->reserved, 100u);
}

TEST(Settle, GivesTheDriverTheRestWhenTheSumIsOff) {
  const auto parts = Settle(Of(1000, 100, 600, 290));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->reserved, 110u);
  EXPECT_EQ(parts->total, parts->used + parts->free + parts->reserved);
}

TEST(Settle, RefusesPartsLargerThanTheWhole) {
  EXPECT_FALSE(Settle(Of(1000, 0, 1001, 0)));
  EXPECT_FALSE(Settle(Of(1000, 0, 700, 700)));
}

}  // namespace
}  // namespace gpusight::nvml
