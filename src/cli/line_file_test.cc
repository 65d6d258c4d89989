// SPDX-License-Identifier: Apache-2.0
#include "cli/line_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "testing/fake_clock.h"
#include "testing/temp_folder.h"

namespace gpusight::cli {
namespace {

class LineFileTest : public ::testing::Test {
 protected:
  std::string Text(const std::string& suffix = "") const {
    return ReadFile(path + suffix).value_or("(none)");
  }
  LineFile Open(Rotation rotation, std::string header = "") {
    auto file = LineFile::Open(path, std::move(header), rotation, clock);
    EXPECT_TRUE(file);
    return std::move(*file);
  }
  FakeClock clock;
  const TempFolder temporary;
  const std::string folder = temporary.path(), path = folder + "/gpu.log";
};

TEST_F(LineFileTest, AppendsToWhatIsThere) {
  ASSERT_TRUE(Open({}).Write("one\n"));
  ASSERT_TRUE(Open({}).Write("two\n"));
  EXPECT_EQ(Text(), "one\ntwo\n");
}

TEST_F(LineFileTest, WritesTheHeaderOnceEvenWhenItIsOpenedAgain) {
  ASSERT_TRUE(Open({}, "a,b\n").Write("1,2\n"));
  LineFile again = Open({}, "a,b\n");
  ASSERT_TRUE(again.Write("3,4\n"));
  ASSERT_TRUE(again.Write("5,6\n"));
  EXPECT_EQ(Text(), "a,b\n1,2\n3,4\n5,6\n");
}

TEST_F(LineFileTest, RefusesAFileWithOtherColumns) {
  ASSERT_TRUE(Open({}, "a,b\n").Write("1,2\n"));
  const auto file = LineFile::Open(path, "a,c\n", {}, clock);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kUsage);
}

TEST_F(LineFileTest, RotatesBeforeTheSizeIsExceededAndKeepsTheNewest) {
  LineFile file = Open({.size = 10, .keep = 2}, "h\n");
  for (const char* line : {"1111\n", "2222\n", "3333\n", "4444\n"}) ASSERT_TRUE(file.Write(line));
  EXPECT_EQ(Text(), "h\n4444\n");
  EXPECT_EQ(Text(".1"), "h\n3333\n");
  EXPECT_EQ(Text(".2"), "h\n2222\n");
  EXPECT_EQ(Text(".3"), "(none)");
}

TEST_F(LineFileTest, KeepsNoOldFileWhenNoneIsWanted) {
  LineFile file = Open({.size = 6, .keep = 0});
  ASSERT_TRUE(file.Write("1111\n"));
  ASSERT_TRUE(file.Write("2222\n"));
  EXPECT_EQ(Text(), "2222\n");
  EXPECT_EQ(Text(".1"), "(none)");
}

TEST_F(LineFileTest, RotatesByAge) {
  LineFile file = Open({.age = 60});
  ASSERT_TRUE(file.Write("1\n"));
  clock.Advance(59);
  ASSERT_TRUE(file.Write("2\n"));
  clock.Advance(1);
  ASSERT_TRUE(file.Write("3\n"));
  EXPECT_EQ(Text(), "3\n");
  EXPECT_EQ(Text(".1"), "1\n2\n");
}

TEST_F(LineFileTest, WritesANewFileAfterItWasMovedAndReopened) {
  LineFile file = Open({}, "h\n");
  ASSERT_TRUE(file.Write("1\n"));
  std::filesystem::rename(path, path + ".moved");
  ASSERT_TRUE(file.Write("2\n"));
  ASSERT_TRUE(file.Reopen());
  ASSERT_TRUE(file.Write("3\n"));
  EXPECT_EQ(Text(".moved"), "h\n1\n2\n");
  EXPECT_EQ(Text(), "h\n3\n");
}

TEST_F(LineFileTest, KeepsTheOldFileWhenItCannotBeReopened) {
  LineFile file = Open({});
  ASSERT_TRUE(file.Write("1\n"));
  std::filesystem::rename(folder, folder + "-moved");
  EXPECT_FALSE(file.Reopen());
  EXPECT_TRUE(file.Write("2\n"));
  std::filesystem::rename(folder + "-moved", folder);
  EXPECT_EQ(Text(), "1\n2\n");
}

TEST_F(LineFileTest, NeverRotatesOverAFileOfOthers) {
  const Rotation rotation{
      .size = 6, .keep = 2, .ours = [](std::string_view text) { return text[0] != '#'; }};
  std::ofstream(path + ".2") << "# mine\n";
  const auto refused = LineFile::Open(path, "", rotation, clock);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadInput);
  EXPECT_EQ(refused.error().what, path + ".2");
  EXPECT_EQ(Text(), "(none)");
  std::filesystem::remove(path + ".2");
  LineFile file = Open(rotation);
  ASSERT_TRUE(file.Write("1111\n"));
  std::ofstream(path + ".1") << "# mine\n";
  ASSERT_TRUE(file.Write("2222\n"));
  EXPECT_TRUE(file.TakeRotationError().has_value());
  EXPECT_EQ(Text(), "1111\n2222\n");
  EXPECT_EQ(Text(".1"), "# mine\n");
}

TEST_F(LineFileTest, GoesOnInTheSameFileWhenItCannotBeRotated) {
  LineFile file = Open({.size = 6, .keep = 1});
  ASSERT_TRUE(file.Write("1111\n"));
  std::filesystem::create_directory(path + ".1");
  ASSERT_TRUE(file.Write("2222\n"));
  EXPECT_TRUE(file.TakeRotationError().has_value());
  EXPECT_FALSE(file.TakeRotationError().has_value());
  EXPECT_EQ(Text(), "1111\n2222\n");
}

TEST_F(LineFileTest, RotatesAgainOnceThatIsPossible) {
  LineFile file = Open({.size = 6, .keep = 1});
  ASSERT_TRUE(file.Write("1111\n"));
  std::filesystem::create_directory(path + ".1");
  ASSERT_TRUE(file.Write("2222\n"));
  ASSERT_TRUE(file.TakeRotationError().has_value());
  std::filesystem::remove(path + ".1");
  ASSERT_TRUE(file.Write("3333\n"));
  EXPECT_FALSE(file.TakeRotationError().has_value());
  EXPECT_EQ(Text(".1"), "1111\n2222\n");
  EXPECT_EQ(Text(), "3333\n");
}

TEST_F(LineFileTest, LeavesOldFilesAloneWhileItCannotRotate) {
  LineFile file = Open({.size = 6, .keep = 3});
  ASSERT_TRUE(file.Write("1111\n"));
  ASSERT_TRUE(file.Write("2222\n"));
  // Nothing can be renamed over a folder that is not empty, as nothing can be where it is refused.
  std::filesystem::create_directories(path + ".0/x");
  for (const char* line : {"3333\n", "4444\n", "5555\n"}) ASSERT_TRUE(file.Write(line));
  EXPECT_EQ(Text(".1"), "1111\n");
  EXPECT_EQ(Text(".2"), "(none)");
  EXPECT_EQ(Text(), "2222\n3333\n4444\n5555\n");
}

TEST_F(LineFileTest, LeavesForeignThingsWithTheNameOfAnOldFileAlone) {
  LineFile file = Open({.size = 6, .keep = 3});
  ASSERT_TRUE(file.Write("1111\n"));
  ASSERT_TRUE(file.Write("2222\n"));
  std::filesystem::create_directory(path + ".2");
  ASSERT_TRUE(file.Write("3333\n"));
  const auto folder_there = file.TakeRotationError();
  ASSERT_TRUE(folder_there);
  EXPECT_EQ(folder_there->what, path + ".2: Is a directory");
  EXPECT_EQ(Text(".1"), "1111\n");
  EXPECT_EQ(Text(), "2222\n3333\n");
  std::filesystem::remove(path + ".2");
  std::filesystem::create_symlink("nowhere", path + ".2");
  ASSERT_TRUE(file.Write("4444\n"));
  EXPECT_TRUE(std::filesystem::is_symlink(path + ".2"));
  EXPECT_FALSE(std::filesystem::exists(path + ".3"));
  EXPECT_EQ(Text(), "2222\n3333\n4444\n");
}

TEST_F(LineFileTest, DoesNotReplaceAFileNumberedZero) {
  std::ofstream(path + ".0") << "of another program\n";
  LineFile file = Open({.size = 6});
  ASSERT_TRUE(file.Write("1111\n"));
  ASSERT_TRUE(file.Write("2222\n"));
  EXPECT_EQ(file.TakeRotationError()->system, EEXIST);
  EXPECT_EQ(Text(".0"), "of another program\n");
}

TEST_F(LineFileTest, RotatesTheFileBehindALinkAndLeavesTheLink) {
  const std::string real = folder + "/real.log";
  std::filesystem::create_symlink("real.log", path);
  LineFile file = Open({.size = 6});
  ASSERT_TRUE(file.Write("1111\n"));
  ASSERT_TRUE(file.Write("2222\n"));
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  EXPECT_EQ(ReadFile(real).value(), "2222\n");
  EXPECT_EQ(ReadFile(real + ".1").value(), "1111\n");
  EXPECT_EQ(Text(".1"), "(none)");
}

TEST_F(LineFileTest, DoesNotMoveAFileThatAnotherProgramPutInItsPlace) {
  LineFile file = Open({.size = 6});
  ASSERT_TRUE(file.Write("1111\n"));
  std::filesystem::rename(path, path + ".moved");
  std::ofstream(path) << "new\n";
  ASSERT_TRUE(file.Write("2222\n"));
  EXPECT_EQ(Text(), "new\n2222\n");
  EXPECT_EQ(Text(".1"), "(none)");
}

TEST_F(LineFileTest, WhatRotatesHasOneWriter) {
  LineFile file = Open({.size = 6});
  for (const Rotation other : {Rotation{}, Rotation{.age = 60}}) {
    const auto second = LineFile::Open(path, "", other, clock);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().system, EWOULDBLOCK);
  }
  ASSERT_TRUE(file.Write("1111\n"));
  EXPECT_TRUE(file.Reopen()) << "it does not stand in its own way";
  ASSERT_TRUE(file.Write("2222\n"));
  EXPECT_EQ(Text(".1"), "1111\n");
  EXPECT_FALSE(LineFile::Open(path, "", {}, clock)) << "nor the new file's";
}

TEST_F(LineFileTest, WhatDoesNotRotateHasAsManyWritersAsOneLikes) {
  LineFile one = Open({}, "h\n"), two = Open({}, "h\n");
  ASSERT_TRUE(one.Write("1\n"));
  ASSERT_TRUE(two.Write("2\n"));
  ASSERT_TRUE(one.Write("3\n"));
  EXPECT_EQ(Text(), "h\n1\n2\n3\n") << "and one header";
  EXPECT_FALSE(LineFile::Open(path, "h\n", {.size = 6}, clock));
}

TEST_F(LineFileTest, BeginsAnewWithItsHeaderInAFileThatWasEmptied) {
  LineFile file = Open({}, "h\n");
  ASSERT_TRUE(file.Write("1\n"));
  std::filesystem::resize_file(path, 0);
  ASSERT_TRUE(file.Write("2\n"));
  EXPECT_EQ(Text(), "h\n2\n");
}

TEST_F(LineFileTest, DoesNotReopenAFileWithOtherColumns) {
  LineFile file = Open({}, "a,b\n");
  ASSERT_TRUE(file.Write("1,2\n"));
  std::filesystem::rename(path, path + ".moved");
  std::ofstream(path) << "a,c\n";
  const auto again = file.Reopen();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kUsage);
  ASSERT_TRUE(file.Write("3,4\n"));
  EXPECT_EQ(Text(), "a,c\n");
  EXPECT_EQ(Text(".moved"), "a,b\n1,2\n3,4\n");
}

TEST_F(LineFileTest, SaysWhyAFileMayNotBeMade) {
  const auto below_a_file = LineFile::Open("/dev/null/gpu.log", "", {}, clock);
  EXPECT_EQ(below_a_file.error().system, ENOTDIR);
  std::filesystem::create_directory(path);
  EXPECT_EQ(LineFile::Open(path, "", {}, clock).error().system, EISDIR);
  // Opening it for writing only would say that it is not there.
  EXPECT_NE(LineFile::Open("/sys/gpu.log", "", {}, clock).error().system, ENOENT);
}

TEST_F(LineFileTest, LooksOnlyForOldFilesThatThereAre) {
  LineFile file = Open({.size = 6, .keep = uint64_t{1} << 60});
  for (const char* line : {"1111\n", "2222\n", "3333\n"}) ASSERT_TRUE(file.Write(line));
  EXPECT_EQ(Text(".2"), "1111\n");
}

TEST_F(LineFileTest, BeginsANewFileWhenTheOldOneWasRemoved) {
  LineFile file = Open({}, "h\n");
  ASSERT_TRUE(file.Write("1\n"));
  std::filesystem::remove(path);
  ASSERT_TRUE(file.Write("2\n"));
  EXPECT_EQ(Text(), "h\n2\n");
}

TEST_F(LineFileTest, SaysThatLinesAreLostWhenItsFolderWasRemoved) {
  LineFile file = Open({});
  ASSERT_TRUE(file.Write("1\n"));
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(file.Write("2\n"));
  std::filesystem::create_directory(folder);
  EXPECT_TRUE(file.Write("3\n"));
  EXPECT_EQ(Text(), "3\n");
}

TEST_F(LineFileTest, LeavesNoHalfLineWhenTheFileMayNotGrow) {
  // A file size limit stands in for a disk that fills up in the middle of a line.
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, SIG_IGN);
  LineFile file = Open({}, "h\n");
  ASSERT_TRUE(file.Write("1111\n"));
  rlimit small{10, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto written = file.Write("22222222\n");
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_FALSE(written);
  EXPECT_EQ(Text(), "h\n1111\n");
  ASSERT_TRUE(file.Write("3\n"));
  EXPECT_EQ(Text(), "h\n1111\n3\n");
}

TEST_F(LineFileTest, LeavesNoHeaderAloneWhenNothingCanBeWritten) {
  const UniqueFd full(open("/dev/full", O_WRONLY));
  LineFile file(full.get(), "standard output", "h\n", clock);
  const auto written = file.Write("1\n");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().what, "standard output: No space left on device");
}

}  // namespace
}  // namespace gpusight::cli
