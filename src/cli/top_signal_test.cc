// SPDX-License-Identifier: Apache-2.0
#include "cli/top_signal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

namespace gpusight::cli {
namespace {

using testing::HasSubstr;

// A child that waits to be signalled, and what the screen would know of it.
class SignalTest : public testing::Test {
 protected:
  void SetUp() override {
    child_ = fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      for (;;) pause();
    }
    request_.signal = SIGTERM;
    request_.target.key = {child_, StartTicks(child_), true};
  }
  void TearDown() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
  }

  // Read independently of the code under test: the 20th word behind the command.
  static uint64_t StartTicks(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    std::istringstream words(text.substr(text.rfind(')') + 1));
    std::string word;
    for (int i = 0; i < 20; ++i) words >> word;
    return std::stoull(word);
  }
  bool Lives() const { return waitpid(child_, nullptr, WNOHANG) == 0; }
  std::string Refusal() const {
    const auto sent = SendSignal(request_, Language::kEnglish);
    return sent ? "sent" : sent.error().what;
  }

  pid_t child_ = -1;
  tui::SignalRequest request_;
};

TEST_F(SignalTest, ReachesTheProcessThatWasChosen) {
  EXPECT_TRUE(SendSignal(request_, Language::kEnglish));
  int status = 0;
  ASSERT_EQ(waitpid(child_, &status, 0), child_);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  child_ = -1;
}

TEST_F(SignalTest, DoesNotReachALaterOwnerOfTheNumber) {
  --request_.target.key.start_ticks;
  EXPECT_THAT(Refusal(), HasSubstr("is another process now"));
  EXPECT_TRUE(Lives());
}

TEST_F(SignalTest, SaysWhenTheProcessHasEnded) {
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  child_ = -1;
  EXPECT_THAT(Refusal(), HasSubstr("ended in the meantime"));
}

TEST_F(SignalTest, RefusesWhatWasNeverIdentified) {
  request_.target.key.start_ticks = 0;
  EXPECT_THAT(Refusal(), HasSubstr("start time is not known"));
  request_.target.key = {1, 1, true};
  EXPECT_THAT(Refusal(), HasSubstr("No signal to 1"));
  request_.target.key = {child_, StartTicks(child_), false};
  EXPECT_THAT(Refusal(), HasSubstr("No signal"));
  EXPECT_TRUE(Lives());
}

}  // namespace
}  // namespace gpusight::cli
