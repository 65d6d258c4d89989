// SPDX-License-Identifier: Apache-2.0
#include "probe/host/job.h"

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

constexpr int kLauncher = 50, kRoot = 51, kStart = 900;

// A /proc that can change while we look, with a shell, gpusight and what it started.
class JobTest : public testing::Test {
 protected:
  JobTest() {
    Process(1, 0);
    Process(20, 1);
    Process(kLauncher, 20);
    Process(kRoot, kLauncher);
    options_ = {.root = kRoot,
                .earliest_ticks = kStart,
                .run_id = "r7",
                .everything = false,
                .without = {}};
  }
  void Process(int pid, int parent, int session = 20, int start = kStart,
               const std::string& environment = "HOME=/") {
    const std::string folder = folder_ + "/proc/" + std::to_string(pid);
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/stat")
        << pid << " (python3) S " << parent << " 1 " << session
        << " 0 -1 4194560 100 0 0 0 7 3 0 0 20 0 1 0 " << start
        << " 1000000 250 18446744073709551615 1 1 0 0 0 0 0 4096 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0"
           " 0 0 0\n";
    std::ofstream(folder + "/environ") << "A=b" << '\0' << environment << '\0';
  }
  void End(int pid) { std::filesystem::remove_all(folder_ + "/proc/" + std::to_string(pid)); }
  const std::vector<int>& Members() {
    if (!job_) {
      proc_ = std::make_unique<ProcFolder>(Root(folder_));
      tree_ = std::make_unique<Tree>(*proc_);
      job_ = std::make_unique<Job>(options_, *proc_);
    }
    now_.ns += int64_t{100'000'000'000};
    tree_->Update(0, now_, 1);
    job_->Update(*tree_);
    return job_->members();
  }

  const TempFolder temporary_;
  const std::string& folder_ = temporary_.path();
  JobOptions options_;
  std::unique_ptr<ProcFolder> proc_;
  std::unique_ptr<Tree> tree_;
  std::unique_ptr<Job> job_;
  MonoTime now_{1'000'000'000};
};

TEST_F(JobTest, IsTheCommandAndAllBelowIt) {
  Process(60, kRoot);
  Process(40, 60);  // numbers went round
  Process(70, 20);
  EXPECT_THAT(Members(), ElementsAre(40, kRoot, 60));
  EXPECT_TRUE(job_->Has(40));
  EXPECT_FALSE(job_->Has(kLauncher));
}

TEST_F(JobTest, KeepsWhoLostItsParent) {
  Process(60, kRoot);
  Process(61, 60);
  Members();
  End(60);
  Process(61, 1);
  EXPECT_THAT(Members(), ElementsAre(kRoot, 61));
}

TEST_F(JobTest, FindsADaemonByItsVariable) {
  Members();
  Process(60, 1, 60, kStart + 5, "GPUSIGHT_RUN_ID=r7");
  Process(61, 1, 61, kStart + 5, "GPUSIGHT_RUN_ID=r77");
  Process(62, 1, 62, kStart + 5, "NOT_GPUSIGHT_RUN_ID=r7");
  EXPECT_THAT(Members(), ElementsAre(kRoot, 60));
  Process(63, 60);
  EXPECT_THAT(Members(), ElementsAre(kRoot, 60, 63));
}

TEST_F(JobTest, FindsADaemonThatWroteOverItsEnvironmentByItsSession) {
  Process(60, kRoot, 60);
  Members();
  End(60);
  Process(61, 1, 60);
  EXPECT_THAT(Members(), ElementsAre(kRoot, 61));
}

TEST_F(JobTest, LeavesOutWhatIsOlderThanTheJob) {
  Process(60, 1, 60, kStart - 1, "GPUSIGHT_RUN_ID=r7");
  EXPECT_THAT(Members(), ElementsAre(kRoot));
}

TEST_F(JobTest, ForgetsWhoEnded) {
  Process(60, kRoot);
  Members();
  End(60);
  EXPECT_THAT(Members(), ElementsAre(kRoot));
  End(kRoot);
  EXPECT_THAT(Members(), IsEmpty());
}

TEST_F(JobTest, JudgesANumberAnewThatMeansAnotherProcess) {
  Process(60, kRoot);
  EXPECT_THAT(Members(), ElementsAre(kRoot, 60));
  End(60);
  Process(60, 20);
  job_->Forget(60);
  EXPECT_THAT(Members(), ElementsAre(kRoot));
}

TEST_F(JobTest, IsEverythingInAContainerOfItsOwnButOurselves) {
  options_.everything = true;
  options_.without = {1, kLauncher};
  Process(60, 1);
  EXPECT_THAT(Members(), ElementsAre(20, kRoot, 60));
}

TEST_F(JobTest, SurvivesParentsThatGoInACircle) {
  Process(60, 61);
  Process(61, 60);
  EXPECT_THAT(Members(), ElementsAre(kRoot));
}

TEST_F(JobTest, HasNobodyWhenThereIsNoJob) {
  options_.root = 0;
  EXPECT_THAT(Members(), IsEmpty());
}

}  // namespace
}  // namespace gpusight::host
