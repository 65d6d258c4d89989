// SPDX-License-Identifier: Apache-2.0
#include "cli/nearest.h"

#include <gtest/gtest.h>

#include <string>

namespace gpusight::cli {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("status", "status"), 0u);
  EXPECT_EQ(EditDistance("statsu", "status"), 1u);
  EXPECT_EQ(EditDistance("--intervall", "--interval"), 1u);
  EXPECT_EQ(EditDistance("who", "log"), 3u);
}

TEST(Nearest, FindsTheWordThatWasMeant) {
  const std::string_view names[] = {"--interval", "--for", "--fields", "--device"};
  EXPECT_EQ(Nearest("--intervall", names), "--interval");
  EXPECT_EQ(Nearest("--devcie", names), "--device");
  EXPECT_EQ(Nearest("--inter", names), "--interval");
}

TEST(Nearest, StaysSilentWhenNothingIsNear) {
  const std::string_view names[] = {"status", "log", "who"};
  EXPECT_EQ(Nearest("xyzzy", names), std::nullopt);
  EXPECT_EQ(Nearest("", names), std::nullopt);
  const std::string_view options[] = {"--root", "--lang"};
  EXPECT_EQ(Nearest("--foo", options), std::nullopt);
  EXPECT_EQ(Nearest(std::string(100000, 'a'), names), std::nullopt);
}

}  // namespace
}  // namespace gpusight::cli
