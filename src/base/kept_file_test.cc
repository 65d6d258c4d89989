// SPDX-License-Identifier: Apache-2.0
#include "base/kept_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "testing/temp_folder.h"

namespace gpusight {
namespace {

class KeptFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = OpenFolder(path_.c_str());
    ASSERT_TRUE(folder_.valid());
  }
  void Write(const char* name, const std::string& text) {
    const UniqueFd fd(openat(folder_.get(), name, O_WRONLY | O_CREAT | O_TRUNC, 0600));
    ASSERT_EQ(write(fd.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  int folder() const { return folder_.get(); }
  const TempFolder temporary_;
  const std::string& path_ = temporary_.path();
  UniqueFd folder_;
  ReadBuffer buffer_;
};

TEST_F(KeptFileTest, ReadsAgainWhatChanged) {
  Write("a", "one");
  KeptFile file;
  EXPECT_EQ(file.Read(folder(), "a", true, buffer_), 0);
  EXPECT_EQ(buffer_.text(), "one");
  Write("a", "longer");
  EXPECT_EQ(file.Read(folder(), "a", true, buffer_), 0);
  EXPECT_EQ(buffer_.text(), "longer");
  Write("a", "");
  EXPECT_EQ(file.Read(folder(), "a", true, buffer_), 0);
  EXPECT_EQ(buffer_.text(), "");
}

TEST_F(KeptFileTest, KeepsMeaningTheSameFile) {
  Write("a", "first");
  KeptFile file;
  ASSERT_EQ(file.Read(folder(), "a", true, buffer_), 0);
  ASSERT_EQ(unlinkat(folder(), "a", 0), 0);
  Write("a", "second");
  EXPECT_EQ(file.Read(folder(), "a", true, buffer_), 0);
  EXPECT_EQ(buffer_.text(), "first");
  file.Close();
  EXPECT_EQ(file.Read(folder(), "a", true, buffer_), 0);
  EXPECT_EQ(buffer_.text(), "second");
}

TEST_F(KeptFileTest, OpensAnewWhenNotKept) {
  Write("a", "first");
  KeptFile file;
  ASSERT_EQ(file.Read(folder(), "a", false, buffer_), 0);
  EXPECT_FALSE(file.open());
  ASSERT_EQ(unlinkat(folder(), "a", 0), 0);
  EXPECT_EQ(file.Read(folder(), "a", false, buffer_), ENOENT);
}

TEST_F(KeptFileTest, ReadsFilesLargerThanItsBuffer) {
  std::string text;
  for (int i = 0; i < 40000; ++i) text += std::to_string(i) + "\n";
  Write("big", text);
  EXPECT_EQ(buffer_.ReadOnce(folder(), "big"), 0);
  EXPECT_EQ(buffer_.text(), text);
  EXPECT_EQ(buffer_.ReadOnce(folder(), "big", Pieces::kOne), 0);
  EXPECT_EQ(buffer_.text(), text);
}

TEST_F(KeptFileTest, ReadsTheFrontOfALongFile) {
  Write("long", std::string(100'000, 'a') + "b");
  EXPECT_EQ(buffer_.ReadFront(folder(), "long", 5), 0);
  EXPECT_EQ(buffer_.text(), "aaaaa");
  EXPECT_EQ(buffer_.ReadFront(folder(), "long", 200'000), 0);
  EXPECT_EQ(buffer_.text().size(), 100'001u);
  EXPECT_EQ(buffer_.ReadFront(folder(), "missing", 5), ENOENT);
  EXPECT_EQ(buffer_.text(), "");
}

TEST_F(KeptFileTest, AnswersWithErrnoAndAnEmptyText) {
  Write("a", "text");
  ASSERT_EQ(buffer_.ReadOnce(folder(), "a"), 0);
  EXPECT_EQ(buffer_.ReadOnce(folder(), "missing"), ENOENT);
  EXPECT_EQ(buffer_.text(), "");
  EXPECT_EQ(buffer_.ReadOnce(folder(), "."), EISDIR);
  EXPECT_EQ(buffer_.text(), "");
}

TEST_F(KeptFileTest, ListsTheNumbersOfAFolder) {
  for (const char* name : {"10", "9", "x", "8a", "-3", "007", "99999999999"}) Write(name, "");
  std::vector<int> numbers = {5};
  EXPECT_EQ(ListNumbers(folder(), ".", numbers), 0);
  EXPECT_THAT(numbers, testing::ElementsAre(7, 9, 10));
  EXPECT_EQ(ListNumbers(folder(), "nowhere", numbers), ENOENT);
  EXPECT_TRUE(numbers.empty());
}

TEST(ReadBuffer, ReadsTheKernelsFilesWhole) {
  ReadBuffer buffer;
  const UniqueFd proc = OpenFolder("/proc");
  ASSERT_EQ(buffer.ReadOnce(proc.get(), "self/mountinfo"), 0);
  EXPECT_TRUE(buffer.text().ends_with('\n'));
  ASSERT_EQ(buffer.ReadOnce(proc.get(), "self/stat", Pieces::kOne), 0);
  EXPECT_TRUE(buffer.text().ends_with('\n'));
}

}  // namespace
}  // namespace gpusight
