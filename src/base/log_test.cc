// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <gtest/gtest.h>

#include "testing/fake_clock.h"

namespace gpusight {
namespace {

TEST(Log, WritesOneLogfmtLine) {
  FakeClock clock;
  clock.SetWall({1'775'383'200'123'000'000});
  std::string out;
  Log log(clock, [&](std::string_view line) { out += line; });
  log.Write(LogLevel::kError, "disk_full", {{"path", "/a b"}, {"n", "3"}});
  EXPECT_EQ(out, "time=2026-04-05T10:00:00.123Z level=error event=disk_full path=\"/a b\" n=3\n");
}

TEST(Log, RepeatsOfOneKeyAreCountedNotWritten) {
  FakeClock clock;
  std::string out;
  Log log(clock, [&](std::string_view line) { out += line; });
  EXPECT_TRUE(log.Once(LogLevel::kWarning, "slow", "slow/0"));
  EXPECT_FALSE(log.Once(LogLevel::kWarning, "slow", "slow/0"));
  EXPECT_EQ(log.Count("slow/0"), 2u);
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 1);
}

TEST(Log, BelowTheLeastLevelNothingIsWritten) {
  FakeClock clock;
  std::string out;
  Log log(clock, [&](std::string_view line) { out += line; });
  log.Write(LogLevel::kDebug, "detail");
  EXPECT_EQ(out, "");
}

TEST(LogfmtValue, QuotesWhatMustBeQuoted) {
  EXPECT_EQ(LogfmtValue("plain"), "plain");
  EXPECT_EQ(LogfmtValue(""), "\"\"");
  EXPECT_EQ(LogfmtValue("a \"b\""), "\"a \\\"b\\\"\"");
}

}  // namespace
}  // namespace gpusight
