// SPDX-License-Identifier: Apache-2.0
#include "base/units.h"

#include <gtest/gtest.h>

namespace gpusight {
namespace {

TEST(FormatBytes, ChoosesTheUnit) {
  EXPECT_EQ(FormatBytes(0), "0B");
  EXPECT_EQ(FormatBytes(3.1 * kMiB), "3.1MiB");
  EXPECT_EQ(FormatBytes(12.4 * kGiB), "12.4GiB");
  EXPECT_EQ(FormatBytes(1023.99 * kMiB), "1.0GiB");
  EXPECT_EQ(FormatBytes(-2 * kGiB), "-2.0GiB");
}

TEST(FormatDuration, ShowsTwoUnitsAtMost) {
  EXPECT_EQ(FormatDuration(0.25), "250ms");
  EXPECT_EQ(FormatDuration(5), "5.0s");
  EXPECT_EQ(FormatDuration(245), "4m05s");
  EXPECT_EQ(FormatDuration(11220), "3h07m");
  EXPECT_EQ(FormatDuration(187200), "2d04h");
}

TEST(ParseDuration, KnowsSuffixesAndRefusesNonsense) {
  EXPECT_EQ(ParseDuration("100ms"), 0.1);
  EXPECT_EQ(ParseDuration("2m"), 120);
  EXPECT_EQ(ParseDuration("1.5"), 1.5);
  for (const char* bad : {"", "0", "-1s", "fast", "nan", "inf", "1x"}) {
    EXPECT_EQ(ParseDuration(bad), std::nullopt) << bad;
  }
}

TEST(ParseBytes, KnowsSuffixesAndRefusesNonsense) {
  EXPECT_EQ(ParseBytes("8GiB"), 8ull << 30);
  EXPECT_EQ(ParseBytes("100M"), 100ull << 20);
  EXPECT_EQ(ParseBytes("4096"), 4096u);
  for (const char* bad : {"", "-1", "1GB", "many", "1e30"}) {
    EXPECT_EQ(ParseBytes(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace gpusight
