// SPDX-License-Identifier: Apache-2.0
#include "launch/ending.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace gpusight::launch {
namespace {

// The real status of a child that runs `body`.
template <typename Body>
int StatusOfChild(const Body& body) {
  const pid_t pid = fork();
  if (pid == 0) {
    body();
    _exit(99);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  return status;
}

TEST(Ending, TellsAnExitFromASignal) {
  Ending ending;
  ending.status = StatusOfChild([] { _exit(7); });
  EXPECT_TRUE(ending.exited());
  EXPECT_EQ(ending.code(), 7);
  EXPECT_FALSE(ending.core());
  ending.status = StatusOfChild([] { raise(SIGKILL); });
  EXPECT_FALSE(ending.exited());
  EXPECT_EQ(ending.signal(), SIGKILL);
}

TEST(Ending, SurvivesThePacket) {
  Ending ending;
  ending.status = 9;
  ending.usage.ru_maxrss = 4711;
  ending.began = {1};
  ending.ended = {2};
  ending.seconds = 2.5;
  ending.received.push_back({SIGTERM, 12, {3}, "slurmstepd"});
  ending.received.push_back({SIGINT, 0, {4}, "a name that is longer than the kernel's"});
  const auto copy = Unpack(Pack(ending));
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->status, 9);
  EXPECT_EQ(copy->usage.ru_maxrss, 4711);
  EXPECT_EQ(copy->began.ns, 1);
  EXPECT_EQ(copy->ended.ns, 2);
  EXPECT_EQ(copy->seconds, 2.5);
  ASSERT_EQ(copy->received.size(), 2u);
  EXPECT_EQ(copy->received[0].sender_name, "slurmstepd");
  EXPECT_EQ(copy->received[0].sender, 12);
  EXPECT_EQ(copy->received[1].sender_name, "a name that is ");
  EXPECT_EQ(copy->received[1].at.ns, 4);
}

TEST(Ending, KeepsTheLastOfManySignals) {
  Ending ending;
  for (int i = 0; i < 40; ++i) ending.received.push_back({i, 0, {i}, ""});
  const auto copy = Unpack(Pack(ending));
  ASSERT_TRUE(copy);
  ASSERT_EQ(copy->received.size(), 32u);
  EXPECT_EQ(copy->received.back().number, 39);
  EXPECT_EQ(copy->received.front().number, 8);
}

TEST(Ending, RefusesOtherBytes) {
  EXPECT_FALSE(Unpack(""));
  std::string bytes = Pack({});
  EXPECT_FALSE(Unpack(bytes.substr(1)));
  bytes[4] = 99;  // the count
  EXPECT_FALSE(Unpack(bytes));
}

TEST(EndLike, GivesTheExitCodeOrDiesOfTheSignal) {
  Ending exited;
  exited.status = StatusOfChild([] { _exit(3); });
  EXPECT_EQ(EndLike(exited), 3);
  for (const int number : {SIGTERM, SIGKILL, SIGSEGV, SIGINT, SIGRTMIN + 4}) {
    Ending killed;
    killed.status = StatusOfChild([number] {
      signal(number, SIG_DFL);  // sanitizers have handlers
      raise(number);
    });
    // As the launcher does: all of them are blocked before.
    const int status = StatusOfChild([&killed] {
      sigset_t all;
      sigfillset(&all);
      sigprocmask(SIG_SETMASK, &all, nullptr);
      _exit(EndLike(killed));
    });
    ASSERT_TRUE(WIFSIGNALED(status)) << number;
    EXPECT_EQ(WTERMSIG(status), number);
    EXPECT_FALSE(WCOREDUMP(status));
  }
}

}  // namespace
}  // namespace gpusight::launch
