// SPDX-License-Identifier: Apache-2.0
#include "base/fd.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <thread>

namespace gpusight {
namespace {

class FdTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("fd_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string Write(const std::string& name, const std::string& content) {
    std::ofstream(folder_ / name) << content;
    return folder_ / name;
  }
  std::filesystem::path folder_;
};

TEST_F(FdTest, AFileIsReadWhole) {
  const std::string content(100'000, 'x');
  EXPECT_EQ(ReadFile(Write("big", content)).value(), content);
}

TEST_F(FdTest, AReusedDescriptorIsReadFromItsStart) {
  auto fd = OpenForRead(Write("file", "first"));
  std::string buffer;
  ASSERT_TRUE(ReadFrom(*fd, buffer));
  ASSERT_TRUE(ReadFrom(*fd, buffer));
  EXPECT_EQ(buffer, "first");
}

TEST_F(FdTest, AFileBeyondTheLimitIsRefused) {
  EXPECT_EQ(ReadFile(Write("big", "12345"), 4).error().code, ErrorCode::kBadInput);
}

TEST_F(FdTest, AMissingFileIsNotFoundAndNamed) {
  const auto missing = ReadFile(folder_ / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missing.error().what.find("none"), std::string::npos);
}

TEST_F(FdTest, AFolderReadAsAFileNamesItsPath) {
  const auto read = ReadFile(folder_);
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().what.starts_with(folder_.string())) << read.error().what;
}

// Opening a pipe that nobody writes to would wait for ever.
TEST_F(FdTest, APipeInPlaceOfAFileIsRefusedAtOnce) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto read = ReadFile(pipe);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().system, ESPIPE);
  EXPECT_TRUE(read.error().what.starts_with(pipe)) << read.error().what;
}

TEST_F(FdTest, ADeviceInPlaceOfAFileIsRefused) {
  EXPECT_EQ(ReadFile("/dev/zero").error().system, ESPIPE);
}

TEST_F(FdTest, FilesOfTheKernelAreRegular) { EXPECT_TRUE(ReadFile("/proc/self/stat")); }

TEST_F(FdTest, AnInputMayBeAPipe) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::jthread writer([&pipe] { std::ofstream(pipe) << std::string(100'000, 'x'); });
  EXPECT_EQ(ReadInput(pipe).value().size(), 100'000u);
}

TEST_F(FdTest, AnInputMayBeADevice) { EXPECT_EQ(ReadInput("/dev/null").value(), ""); }

TEST_F(FdTest, AnInputWithoutEndIsRefused) {
  EXPECT_EQ(ReadInput("/dev/zero", 4096).error().code, ErrorCode::kBadInput);
}

TEST(Root, PutsItsFolderInFront) {
  EXPECT_EQ(Root("/x/").Path("/proc/1"), "/x/proc/1");
  EXPECT_EQ(Root().Path("/proc/1"), "/proc/1");
  EXPECT_TRUE(Root("/").live());
}

}  // namespace
}  // namespace gpusight
