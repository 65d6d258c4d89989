// SPDX-License-Identifier: Apache-2.0
#include "cli/run_pages.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_folder.h"

namespace gpusight::cli {
namespace {

namespace fs = std::filesystem;

class Pages : public ::testing::Test {
 protected:
  const TempFolder temporary_;
  const std::string& place_ = temporary_.path();
};

TEST_F(Pages, LieInAFolderThatNobodyElseMayEnter) {
  const PageFolder folder = MakePageFolder(place_, "r1");
  EXPECT_EQ(folder.path, place_ + "/gpusight-run-r1");
  struct stat info{};
  ASSERT_EQ(stat(folder.path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777u, 0700u);
  EXPECT_EQ(MakePageFolder(place_, "r1").path, "") << "somebody else's";
  EXPECT_EQ(MakePageFolder("", "r1").path, "");
  EXPECT_EQ(MakePageFolder("/no/such/place", "r1").path, "");
}

TEST_F(Pages, StayWhileSomebodyHoldsThem) {
  const PageFolder held = MakePageFolder(place_, "held");
  std::string left;
  {
    const PageFolder gone = MakePageFolder(place_, "left");
    left = gone.path;
    std::ofstream(left + "/1.page") << "x";
  }
  fs::create_directory(place_ + "/other");
  RemoveAbandonedPages(place_);
  EXPECT_TRUE(fs::exists(left)) << "it may just be being made";
  RemoveAbandonedPages(place_, 0);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(held.path));
  EXPECT_TRUE(fs::exists(place_ + "/other"));
}

TEST_F(Pages, AreNotSoughtBehindALink) {
  fs::create_directory(place_ + "/precious");
  fs::create_directory_symlink(place_ + "/precious", place_ + "/gpusight-run-link");
  RemoveAbandonedPages(place_, 0);
  EXPECT_TRUE(fs::exists(place_ + "/precious"));
  EXPECT_TRUE(fs::is_symlink(place_ + "/gpusight-run-link"));
}

}  // namespace
}  // namespace gpusight::cli
