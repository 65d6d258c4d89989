// SPDX-License-Identifier: Apache-2.0
#include "launch/signal_desk.h"

#include <gmock/gmock.h>

#include <csignal>

namespace gpusight::launch {
namespace {

constexpr int64_t kMs = 1'000'000;

class Desk : public ::testing::Test {
 protected:
  void Receive(int number, int64_t at, int sender = 77) {
    desk.Receive({.number = number, .sender = sender, .at = {at * kMs}});
  }
  void Confirm(int number, int64_t at) { desk.Confirm(number, {at * kMs}); }
  // "TERM job", "-" when nothing is decided by then.
  std::string Next(int64_t at, JobPlace place = {}, bool witness = true) {
    const auto decision = desk.Next({at * kMs}, place, witness);
    if (!decision) return "-";
    std::string out = sigabbrev_np(decision->signal.number);
    switch (decision->delivery) {
      case Delivery::kNone:
        return out + " none";
      case Delivery::kJob:
        return out + " job";
      case Delivery::kJobGroup:
        return out + " group";
    }
    return out;
  }
  SignalDesk desk{25 * kMs};
};

TEST_F(Desk, SendsTheJobWhatOnlyTheLauncherGot) {
  Receive(SIGTERM, 100);
  EXPECT_EQ(desk.due()->ns, 125 * kMs);
  EXPECT_EQ(Next(110), "-") << "the witness may still report it";
  EXPECT_EQ(Next(126), "TERM job");
  EXPECT_EQ(Next(127), "-");
  EXPECT_FALSE(desk.due());
}

TEST_F(Desk, KeepsWhatTheWholeGroupGot) {
  Receive(SIGINT, 100);
  Confirm(SIGINT, 101);
  EXPECT_EQ(Next(101), "INT none");
}

TEST_F(Desk, KnowsItAlsoWhenTheWitnessIsTheFirst) {
  Confirm(SIGINT, 100);
  Receive(SIGINT, 101);
  EXPECT_EQ(Next(101), "INT none");
}

TEST_F(Desk, ConfirmsOnlyTheSameSignal) {
  Receive(SIGTERM, 100);
  Confirm(SIGINT, 100);
  EXPECT_EQ(Next(126), "TERM job");
}

TEST_F(Desk, LetsOneConfirmationServeOneSignal) {
  Receive(SIGTERM, 100);
  Receive(SIGTERM, 110);
  Confirm(SIGTERM, 111);
  EXPECT_EQ(Next(111), "TERM none");
  EXPECT_EQ(Next(136), "TERM job");
}

TEST_F(Desk, TakesTwoThatCameAsOneForOne) {
  // Sent to us, then to the group, before we looked: we got one, the witness one; or the group
  // twice: the witness got two, we one.
  Confirm(SIGTERM, 99);
  Confirm(SIGTERM, 100);
  Receive(SIGTERM, 100);
  EXPECT_EQ(Next(100), "TERM none");
  Receive(SIGTERM, 110);
  EXPECT_EQ(Next(136), "TERM job") << "not confirmed by what is over";
}

TEST_F(Desk, ForgetsWhatTheWitnessAloneSaw) {
  Confirm(SIGUSR1, 100);
  EXPECT_EQ(Next(201), "-");
  Receive(SIGUSR1, 202);
  EXPECT_EQ(Next(228), "USR1 job");
}

TEST_F(Desk, FollowsAJobThatLeftTheGroup) {
  const JobPlace own{.in_our_group = false, .leads_a_group = true};
  Receive(SIGTERM, 100);
  Confirm(SIGTERM, 100);
  EXPECT_EQ(Next(101, own), "TERM group");
  Receive(SIGTERM, 200);
  EXPECT_EQ(Next(226, own), "TERM job");
  const JobPlace elsewhere{.in_our_group = false, .leads_a_group = false};
  Receive(SIGTERM, 300);
  Confirm(SIGTERM, 300);
  EXPECT_EQ(Next(301, elsewhere), "TERM job");
}

TEST_F(Desk, GuessesWithoutAWitness) {
  Receive(SIGINT, 100, 0);
  EXPECT_EQ(Next(100, {}, false), "INT none") << "the kernel's: a key on the terminal";
  Receive(SIGTERM, 100);
  EXPECT_EQ(Next(100, {}, false), "TERM job");
}

TEST_F(Desk, PassesOnAtOnceWhatTheKernelTellsOnlyTheLeader) {
  desk.Receive({.number = SIGHUP, .sender = 0, .at = {100 * kMs}, .for_leader = true});
  EXPECT_EQ(Next(100), "HUP job");
  desk.Receive({.number = SIGHUP, .sender = 0, .at = {100 * kMs}, .for_leader = true});
  EXPECT_EQ(Next(100, {}, false), "HUP job");
}

TEST_F(Desk, ForgetsJobControlWhenTheJobStopped) {
  Receive(SIGTSTP, 100);
  Receive(SIGCONT, 100);
  Receive(SIGTERM, 100);
  desk.ForgetJobControl();
  EXPECT_EQ(Next(130), "TERM job");
  EXPECT_EQ(Next(130), "-");
}

}  // namespace
}  // namespace gpusight::launch
