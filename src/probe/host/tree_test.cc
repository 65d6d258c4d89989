// SPDX-License-Identifier: Apache-2.0
#include "probe/host/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "testing/temp_folder.h"

namespace gpusight::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A /proc that can change while we look, and that is taken for the running kernel's.
class TreeTest : public testing::Test {
 protected:
  TreeTest() {
    for (const int pid : {1, 10, 11, 20}) Process(pid, pid == 11 ? 10 : 1);
    proc_ = std::make_unique<ProcFolder>(Root(folder_));
    proc_->live = true;
    tree_ = std::make_unique<Tree>(*proc_);
    Update(20);
  }
  void Process(int pid, int parent, int exit_signal = 17) {
    const std::string folder = folder_ + "/proc/" + std::to_string(pid);
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/stat")
        << pid << " (python3) S " << parent
        << " 1 1 0 -1 4194560 100 0 0 0 7 3 0 0 20 0 1 0 900 1000000 250 18446744073709551615 1 1 0"
           " 0 0 0 0 4096 0 0 0 0 "
        << exit_signal << " 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
  }
  void End(int pid) { std::filesystem::remove_all(folder_ + "/proc/" + std::to_string(pid)); }
  // How many files that read.
  uint64_t Update(int last_pid, double after = 0.5) {
    const uint64_t before = proc_->reads;
    now_.ns += static_cast<int64_t>(after * 1e9);
    tree_->Update(last_pid, now_, kPause);
    return proc_->reads - before;
  }
  int ParentOf(int pid) const { return tree_->Has(pid) ? tree_->Find(pid)->parent : -1; }

  const TempFolder temporary_;
  const std::string& folder_ = temporary_.path();
  std::unique_ptr<ProcFolder> proc_;
  std::unique_ptr<Tree> tree_;
  MonoTime now_{1'000'000'000};
  static constexpr double kPause = 5;
};

TEST_F(TreeTest, KnowsWhoIsWhoseChild) {
  EXPECT_EQ(ParentOf(11), 10);
  EXPECT_EQ(ParentOf(20), 1);
  EXPECT_FALSE(tree_->Has(12));
}

TEST_F(TreeTest, ReadsNothingWhileNoNumberIsGiven) { EXPECT_EQ(Update(20), 0u); }

TEST_F(TreeTest, TriesOnlyTheNumbersThatWereGivenSince) {
  const uint64_t version = tree_->version();
  Process(22, 11);
  EXPECT_EQ(Update(23), 3u);
  EXPECT_EQ(ParentOf(22), 11);
  EXPECT_THAT(tree_->added(), ElementsAre(22));
  EXPECT_EQ(tree_->version(), version) << "nothing of what was known has changed";
  Update(23);
  EXPECT_THAT(tree_->added(), ElementsAre(22)) << "until somebody has seen it";
  tree_->ForgetAdded();
  EXPECT_THAT(tree_->added(), IsEmpty());
}

TEST_F(TreeTest, TakesNoThreadForAProcess) {
  Process(21, 1, -1);
  Update(21);
  EXPECT_FALSE(tree_->Has(21));
}

TEST_F(TreeTest, TriesANumberAgainWhoseProcessCouldNotBeSeenYet) {
  Update(21);
  Process(21, 20);
  Update(21);
  EXPECT_EQ(ParentOf(21), 20);
  EXPECT_EQ(Update(21), 0u) << "once";
}

TEST_F(TreeTest, LooksThroughAllWhenItIsDoubted) {
  const uint64_t version = tree_->version();
  End(10);
  Process(11, 1);
  Update(20);
  EXPECT_EQ(ParentOf(11), 10) << "nobody noticed";
  tree_->Doubt();
  Update(20);
  EXPECT_EQ(ParentOf(11), 1);
  EXPECT_FALSE(tree_->Has(10));
  EXPECT_NE(tree_->version(), version);
}

TEST_F(TreeTest, LooksThroughAllWhenManyNumbersWereGivenButNotAllTheTime) {
  Update(20, kPause);
  Process(5000, 20);
  EXPECT_LT(Update(100'000), 100u);
  EXPECT_EQ(ParentOf(5000), 20);
  Process(5001, 20);
  EXPECT_EQ(Update(200'000), 0u) << "not yet";
  Update(300'000, kPause);
  EXPECT_EQ(ParentOf(5001), 20);
}

TEST_F(TreeTest, LooksThroughAllWhenTheNumbersBeginAnew) {
  Process(15, 20);
  Update(15);
  EXPECT_EQ(ParentOf(15), 20);
}

TEST_F(TreeTest, LooksThroughAllNowAndThenWhereTheLastNumberIsNotKnown) {
  Process(21, 20);
  Update(0, kPause);
  EXPECT_EQ(ParentOf(21), 20);
}

TEST_F(TreeTest, LooksThroughAllNowAndThen) {
  End(20);
  Update(20, Tree::kRefreshSeconds + 1);
  EXPECT_FALSE(tree_->Has(20));
}

}  // namespace
}  // namespace gpusight::host
