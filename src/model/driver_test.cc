// SPDX-License-Identifier: Apache-2.0
#include "model/driver.h"

#include <gmock/gmock.h>

#include <cerrno>

namespace gpusight {
namespace {

using ::testing::HasSubstr;

DriverInfo Info(DriverState state, int code = 0) {
  DriverInfo info;
  info.state = state;
  info.code = code;
  return info;
}

TEST(DriverWords, EveryStateHasASentenceAndAllButOneARemedyInBothLanguages) {
  for (const DriverState state : {DriverState::kOk, DriverState::kNoLibrary, DriverState::kMismatch,
                                  DriverState::kNoPermission, DriverState::kNoDevice,
                                  DriverState::kError, DriverState::kNoAnswer}) {
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      EXPECT_FALSE(Describe(Info(state), language).empty());
      EXPECT_EQ(RemedyFor(Info(state), language).empty(), state == DriverState::kOk);
    }
  }
}

TEST(DriverWords, SomeOfTheDriversCodesHaveWordsOfTheirOwn) {
  const auto words = [](int code) {
    return Describe(Info(DriverState::kError, code), Language::kEnglish);
  };
  EXPECT_THAT(words(9), HasSubstr("not loaded"));
  EXPECT_THAT(words(15), HasSubstr("fallen off the bus"));
  EXPECT_THAT(words(999), HasSubstr("daemon-reload"));
  EXPECT_THAT(words(-EMFILE), HasSubstr("too many open files"));
  EXPECT_THAT(words(20), HasSubstr("error 20"));
}

TEST(DriverWords, SilenceIsTimed) {
  DriverInfo info = Info(DriverState::kNoAnswer);
  info.version = "580.159.04";  // it has answered before
  info.silent_seconds = 12;
  EXPECT_THAT(Describe(info, Language::kEnglish), HasSubstr("12 s"));
  EXPECT_THAT(Describe(info, Language::kChinese), HasSubstr("12 秒"));
}

TEST(DriverWords, ADriverThatHasNotAnsweredYetMayStillBeLoading) {
  DriverInfo info = Info(DriverState::kNoAnswer);
  info.silent_seconds = 15;
  EXPECT_THAT(Describe(info, Language::kEnglish), HasSubstr("not answered yet, after 15 s"));
  EXPECT_THAT(RemedyFor(info, Language::kEnglish), HasSubstr("nvidia-smi -pm 1"));
  EXPECT_THAT(Describe(info, Language::kChinese), HasSubstr("15 秒后仍未应答"));
}

}  // namespace
}  // namespace gpusight
