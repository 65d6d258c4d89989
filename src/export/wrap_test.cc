// SPDX-License-Identifier: Apache-2.0
#include "export/wrap.h"

#include <gtest/gtest.h>

namespace gpusight::exporting {
namespace {

TEST(Wrap, BreaksAtBlanksAndIndentsWhatFollows) {
  EXPECT_EQ(Wrap("one two three four", 12, 2), "one two\n  three four");
  EXPECT_EQ(Wrap("short", 80, 0), "short");
  EXPECT_EQ(Wrap("", 80, 0), "");
}

TEST(Wrap, LeavesAWordThatIsTooLongWhole) {
  EXPECT_EQ(Wrap("a verylongword b", 6, 0), "a\nverylongword\nb");
}

TEST(Wrap, BreaksChineseBetweenCharactersButNotBeforePunctuation) {
  EXPECT_EQ(Wrap("显存不足，请重试", 8, 0), "显存不\n足，请重\n试");
}

TEST(Wrap, KeepsAnEnglishWordInChineseTogether) {
  EXPECT_EQ(Wrap("请用 gpusight 查看", 10, 0), "请用\ngpusight\n查看");
}

}  // namespace
}  // namespace gpusight::exporting
