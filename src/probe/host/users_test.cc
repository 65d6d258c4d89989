// SPDX-License-Identifier: Apache-2.0
#include "probe/host/users.h"

#include <gtest/gtest.h>

namespace gpusight::host {
namespace {

TEST(ParsePasswd, TakesTheFirstNameOfANumber) {
  const auto names = ParsePasswd(
      "root:x:0:0:root:/root:/bin/bash\ntoor:x:0:0::/root:/bin/sh\nmei:x:1001:1001:Mei,,,:/home/"
      "mei:/bin/zsh\n");
  EXPECT_EQ(names.at(0), "root");
  EXPECT_EQ(names.at(1001), "mei");
}

TEST(ParsePasswd, PassesOverWhatIsMalformed) {
  const auto names = ParsePasswd(
      "\n#comment:x:5:5::/:/\nno "
      "colon\n:x:7:7::/:/\nhalf:x\nword:x:abc:1::/:/\nbig:x:4294967296:1::/:/\n+::::::\n"
      "ok:x:42:42\n");
  EXPECT_EQ(names.size(), 1u);
  EXPECT_EQ(names.at(42), "ok");
}

TEST(Users, ShowAnUnknownOneByNumber) {
  const Root root(std::string(GPUSIGHT_TESTDATA) + "/hosts/bare");
  const Users users(root);
  EXPECT_EQ(users.NameOf(1001), "mei");
  EXPECT_EQ(users.NameOf(65534), "65534");
}

TEST(Users, DoWithoutTheFile) {
  const Root root(std::string(GPUSIGHT_TESTDATA) + "/hosts/nowhere");
  const Users users(root);
  EXPECT_EQ(users.NameOf(0), "0");
}

}  // namespace
}  // namespace gpusight::host
