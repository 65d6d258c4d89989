// SPDX-License-Identifier: Apache-2.0
#include "cli/last_words.h"

#include <gtest/gtest.h>

#include <new>

namespace gpusight::cli {
namespace {

// More than any address space has; the handler that `new` calls is called without asking for it.
void RunOut() {
  PrepareLastWords();
  std::get_new_handler()();
}

TEST(LastWordsDeathTest, AreOneSentenceAndAnExitCode) {
  EXPECT_EXIT(RunOut(), testing::ExitedWithCode(1), "^gpusight: .*memory.*\n$");
}

TEST(LastWordsDeathTest, AreInTheUsersLanguage) {
  EXPECT_EXIT((SpeakLastWordsIn(Language::kChinese), RunOut()), testing::ExitedWithCode(1), "内存");
}

}  // namespace
}  // namespace gpusight::cli
