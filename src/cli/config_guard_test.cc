// SPDX-License-Identifier: Apache-2.0
#include "cli/config_guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace gpusight::cli {
namespace {

TEST(FirstUnfit, LetsWellFormedFilesPass) {
  for (const std::string_view text :
       {"", "[log]\r\nfields = [\"a\",\n  'b']\n", "# für\nname = \"北京 \\\" [?\"\n",
        "[[ \"a b\" ]]\n", "[ a ]", "x = 'C:\\'\ny = 1\n", "e = \"\""}) {
    EXPECT_FALSE(FirstUnfit(text)) << text;
  }
}

TEST(FirstUnfit, FindsASectionWithoutAName) {
  for (const std::string_view text : {"[?", "[[?", "[", "[[", "[]", "[[\r", " [#", "[\n"}) {
    const auto unfit = FirstUnfit("a = 1\n" + std::string(text));
    ASSERT_TRUE(unfit) << text;
    EXPECT_EQ(unfit->at.line, 2u) << text;
  }
}

TEST(FirstUnfit, FindsStrangeBytesOutsideStringsAndComments) {
  const auto unfit = FirstUnfit("a = 'ü'  # ü\n b\xE2\xBB\xBF = 1\n");
  ASSERT_TRUE(unfit);
  EXPECT_EQ(unfit->at.line, 2u);
  EXPECT_EQ(unfit->at.column, 3u);
  EXPECT_TRUE(FirstUnfit(std::string_view("b\0e", 3)));
  EXPECT_TRUE(FirstUnfit("a = 1\rb = 2"));
  EXPECT_TRUE(FirstUnfit("a = [[}]]"));
  EXPECT_TRUE(FirstUnfit("a = '\xFF'"));
}

TEST(FirstUnfit, FindsAStringWithoutAnEnd) {
  for (const std::string_view text : {"a = \"b", "a = 'b\nc'", "a = \"\"\"b\"\"\"", "a = \"b\\\""})
    EXPECT_TRUE(FirstUnfit(text)) << text;
}

TEST(FirstUnfit, FindsALineOfManyDotsAndForgivesDotsInComments) {
  EXPECT_TRUE(FirstUnfit(std::string(101, '.')));
  EXPECT_FALSE(FirstUnfit("# " + std::string(200, '.')));
}

TEST(AsciiOf, ComesBackAsItWas) {
  const std::string text = "a = \"北京 100 %\"  # %41\x7f";
  const std::string ascii = AsciiOf(text);
  EXPECT_EQ(std::count_if(ascii.begin(), ascii.end(), [](char c) { return (c & 0x80) != 0; }), 0);
  EXPECT_EQ(OfAscii(ascii), text);
}

}  // namespace
}  // namespace gpusight::cli
