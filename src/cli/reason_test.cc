// SPDX-License-Identifier: Apache-2.0
#include "cli/reason.h"

#include <gmock/gmock.h>

#include <cerrno>
#include <cstring>

#include "base/fd.h"

namespace gpusight::cli {
namespace {

TEST(Reason, IsWhatTheSystemSaysInEnglish) {
  for (int number = 1; number < 134; ++number) {
    EXPECT_EQ(SystemReason(number, Language::kEnglish), std::strerror(number));
  }
}

TEST(Reason, TranslatesOnlyTheSystemsPart) {
  const Error error = ErrnoError(ENOSPC, "/data/gpu.log");
  EXPECT_EQ(Reason(error, Language::kEnglish), "/data/gpu.log: No space left on device");
  EXPECT_EQ(Reason(error, Language::kChinese), "/data/gpu.log: 磁盘空间不足");
}

TEST(Reason, LeavesWhatIsNotTheSystems) {
  EXPECT_EQ(Reason({ErrorCode::kUsage, "there is no field 'x'", {}}, Language::kChinese),
            "there is no field 'x'");
}

}  // namespace
}  // namespace gpusight::cli
