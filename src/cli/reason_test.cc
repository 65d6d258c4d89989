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
    // "Illegal seek" and "Connection timed out" tell nobody that the file is a pipe
    if (number == ESPIPE || number == ETIMEDOUT) continue;
    const std::string said = std::strerror(number);  // the next call may take it away
    EXPECT_EQ(SystemReason(number, Language::kEnglish), said);
  }
}

TEST(Reason, TranslatesOnlyTheSystemsPart) {
  const Error error = ErrnoError(ENOSPC, "/data/gpu.log");
  EXPECT_EQ(Reason(error, Language::kEnglish), "/data/gpu.log: No space left on device");
  EXPECT_EQ(Reason(error, Language::kChinese), "/data/gpu.log: 磁盘空间不足");
}

TEST(Reason, SaysWhatAPipeInPlaceOfAFileIs) {
  const Error error = ErrnoError(ESPIPE, "/etc/hostname");
  EXPECT_EQ(Reason(error, Language::kEnglish), "/etc/hostname: Not a regular file");
  EXPECT_EQ(Reason(error, Language::kChinese), "/etc/hostname: 不是普通文件");
}

TEST(Reason, LeavesWhatIsNotTheSystems) {
  EXPECT_EQ(Reason({ErrorCode::kUsage, "there is no field 'x'", {}}, Language::kChinese),
            "there is no field 'x'");
}

}  // namespace
}  // namespace gpusight::cli
