// SPDX-License-Identifier: Apache-2.0
#include "cli/run_git.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "testing/temp_folder.h"

namespace gpusight::cli {
namespace {

const std::string kFirst(40, 'a'), kSecond(40, 'b');

// Git's own files, as git lays them out; git itself is asked in tests/run.
class Git : public ::testing::Test {
 protected:
  void Put(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(base_ + path).parent_path());
    std::ofstream(base_ + path) << text;
  }
  const TempFolder temporary_;
  const std::string& base_ = temporary_.path();
};

TEST_F(Git, HasABranchInAFileOfItsOwn) {
  Put("/.git/HEAD", "ref: refs/heads/main\n");
  Put("/.git/refs/heads/main", kFirst + "\n");
  Put("/src/deep/file", "");
  EXPECT_EQ(CommitOf(base_), kFirst);
  EXPECT_EQ(CommitOf(base_ + "/src/deep"), kFirst);
}

TEST_F(Git, HasPackedBranches) {
  Put("/.git/HEAD", "ref: refs/heads/main\n");
  Put("/.git/packed-refs", "# pack-refs with: peeled\n" + kSecond + " refs/heads/main2\n" + kFirst +
                               " refs/heads/main\n^" + kSecond + "\n");
  EXPECT_EQ(CommitOf(base_), kFirst);
}

TEST_F(Git, MayBeOnNoBranch) {
  Put("/.git/HEAD", kSecond + "\n");
  EXPECT_EQ(CommitOf(base_), kSecond);
}

TEST_F(Git, MayHaveSeveralWorkTrees) {
  Put("/main/.git/worktrees/other/HEAD", "ref: refs/heads/side\n");
  Put("/main/.git/worktrees/other/commondir", "../..\n");
  Put("/main/.git/refs/heads/side", kFirst + "\n");
  Put("/other/.git", "gitdir: " + base_ + "/main/.git/worktrees/other\n");
  EXPECT_EQ(CommitOf(base_ + "/other"), kFirst);
}

TEST_F(Git, IsNotEverywhere) {
  Put("/.git/HEAD", "what is this\n");
  EXPECT_EQ(CommitOf(base_), "");
  Put("/x/.git", "nor this");
  EXPECT_EQ(CommitOf(base_ + "/x"), "");
  EXPECT_EQ(CommitOf("/"), "");
  EXPECT_EQ(CommitOf(""), "");
}

}  // namespace
}  // namespace gpusight::cli
