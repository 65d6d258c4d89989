// SPDX-License-Identifier: Apache-2.0
#include "cli/run_end.h"

#include <gmock/gmock.h>

#include <csignal>

namespace gpusight::cli {
namespace {

using testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;
constexpr double kGiB = 1 << 30;

ExitFacts Killed(int signal) {
  ExitFacts facts;
  facts.kind = EndKind::kSignal;
  facts.signal = signal;
  facts.ended = {100 * kSecond};
  facts.oom_kills_container = 0;
  facts.oom_kills_machine = 0;
  return facts;
}

ExitFacts Exited(int code) {
  ExitFacts facts = Killed(0);
  facts.kind = EndKind::kExited;
  facts.code = code;
  return facts;
}

TEST(RunEnd, IsAnExitCodeOrASignal) {
  const record::RunEnd exit = EndOf(Exited(3));
  EXPECT_EQ(exit.kind, "exit");
  EXPECT_EQ(exit.code, 3);
  EXPECT_FALSE(exit.signal);
  EXPECT_EQ(exit.text, "It ended with exit code 3.");
  const record::RunEnd signal = EndOf(Killed(SIGSEGV));
  EXPECT_EQ(signal.kind, "signal");
  EXPECT_EQ(signal.signal, SIGSEGV);
  EXPECT_FALSE(signal.code);
  EXPECT_EQ(signal.text, "SIGSEGV ended it.");
  EXPECT_EQ(signal.time.ns, 100 * kSecond);
}

TEST(RunEnd, NamesWhoAskedForIt) {
  ExitFacts facts = Killed(SIGTERM);
  facts.signals = {{SIGTERM, {88 * kSecond}, 412, "slurmstepd"}, {SIGINT, {99 * kSecond}, 0, ""}};
  EXPECT_EQ(EndOf(facts).text,
            "SIGTERM ended it. slurmstepd (process 412) had sent that 12s before.");
  facts.signal = SIGINT;
  EXPECT_THAT(EndOf(facts).text, HasSubstr("The kernel had sent that 1.0s before"));
  facts.signal = SIGSEGV;
  EXPECT_EQ(EndOf(facts).text, "SIGSEGV ended it.");
}

TEST(RunEnd, KnowsTheKernelsKillerByItsCounter) {
  ExitFacts facts = Killed(SIGKILL);
  facts.oom_kills_container = 1;
  facts.memory_limit = 8 * kGiB;
  EXPECT_EQ(EndOf(facts).kind, "oom_killed");
  EXPECT_EQ(EndOf(facts).text,
            "SIGKILL ended it. The kernel killed for want of memory in its control group (1 "
            "times). The limit is 8.0GiB.");
  facts.oom_kills_container = Absence::kNotSupported;
  facts.oom_kills_machine = 2;
  EXPECT_EQ(EndOf(facts).kind, "oom_killed");
  EXPECT_THAT(EndOf(facts).text, HasSubstr("on the machine (2 times)"));
}

TEST(RunEnd, SeesThroughAShellThatMadeAnExitCodeOfIt) {
  ExitFacts facts = Exited(137);
  facts.oom_kills_container = 1;
  const record::RunEnd end = EndOf(facts);
  EXPECT_EQ(end.kind, "oom_killed");
  EXPECT_EQ(end.code, 137);
}

TEST(RunEnd, TellsOfAChildThatWasKilled) {
  ExitFacts facts = Exited(1);
  facts.oom_kills_container = 1;
  EXPECT_EQ(EndOf(facts).kind, "exit");
  EXPECT_THAT(EndOf(facts).text, HasSubstr("exit code 1. The kernel killed"));
}

TEST(RunEnd, BlamesSharedMemoryOnlyWhereItWasFull) {
  ExitFacts facts = Killed(SIGBUS);
  EXPECT_EQ(EndOf(facts).kind, "signal");
  facts.shm_total = 64.0 * (1 << 20);
  facts.shm_used = 10.0 * (1 << 20);
  EXPECT_EQ(EndOf(facts).kind, "signal");
  facts.shm_used = 63.5 * (1 << 20);
  EXPECT_EQ(EndOf(facts).kind, "shm_full");
  EXPECT_THAT(EndOf(facts).text, HasSubstr("/dev/shm was full: 63.5MiB of 64.0MiB."));
}

TEST(RunEnd, KeepsTheNumbers) {
  ExitFacts facts = Exited(0);
  facts.cpu_user = 1.5;
  facts.peak_resident = 2048;
  facts.signals = {{SIGTERM, {0}, 412, "slurmstepd"}};
  const auto kept = EndOf(facts).facts;
  using testing::Pair;
  EXPECT_THAT(kept, testing::IsSupersetOf({Pair("cpu_user_seconds", "1.5"),
                                           Pair("peak_resident_bytes", "2048"),
                                           Pair("oom_kills_container", "0"),
                                           Pair("signal",
                                                "1970-01-01T00:00:00.000Z SIGTERM 412 "
                                                "slurmstepd")}));
  for (const auto& [name, value] : kept) EXPECT_NE(name, "major_faults") << "not known";
}

TEST(RunEnd, SaysWhatIsNotKnown) {
  ExitFacts facts;
  EXPECT_EQ(EndOf(facts).kind, "unknown");
  facts.kind = EndKind::kRunning;
  EXPECT_EQ(EndOf(facts).kind, "running");
  facts = Exited(0);
  facts.left_behind = 2;
  EXPECT_THAT(EndOf(facts).text, HasSubstr("go on: 2"));
}

}  // namespace
}  // namespace gpusight::cli
