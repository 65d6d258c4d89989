// SPDX-License-Identifier: Apache-2.0
#include "record/run_end.h"

#include <gmock/gmock.h>

#include <csignal>

namespace gpusight::record {
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
  EXPECT_EQ(
      EndOf(facts).text,
      "SIGKILL ended it. The kernel killed 1 process: no memory was left in its control group. "
      "The limit is 8.0GiB.");
  facts.oom_kills_container = Absence::kNotSupported;
  facts.oom_kills_machine = 2;
  EXPECT_EQ(EndOf(facts).kind, "oom_killed");
  EXPECT_THAT(EndOf(facts).text,
              HasSubstr("killed 2 processes: no memory was left on the machine."));
}

TEST(RunEnd, SeesThroughAShellThatMadeAnExitCodeOfIt) {
  ExitFacts facts = Exited(137);
  facts.oom_kills_container = 1;
  const record::RunEnd end = EndOf(facts);
  EXPECT_EQ(end.kind, "oom_killed");
  EXPECT_EQ(end.code, 137);
  EXPECT_THAT(end.text, HasSubstr("exit code 137, as after SIGKILL."));
}

TEST(RunEnd, TellsOfAChildThatWasKilled) {
  ExitFacts facts = Exited(1);
  facts.oom_kills_container = 1;
  EXPECT_EQ(EndOf(facts).kind, "oom_killed");
  EXPECT_THAT(EndOf(facts).text, HasSubstr("exit code 1. The kernel killed"));
  facts.oom_kills_container = 0;
  facts.oom_kills_machine = 1;
  EXPECT_EQ(EndOf(facts).kind, "exit") << "somebody else's, as far as anybody knows";
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

TEST(RunEnd, BlamesSharedMemoryAlsoWhenAWorkerDiedOfIt) {
  ExitFacts facts = Exited(1);
  facts.shm_total = facts.shm_used = 64.0 * (1 << 20);
  EXPECT_EQ(EndOf(facts).kind, "exit") << "a full /dev/shm alone harms nobody";
  facts.exception =
      "RuntimeError: DataLoader worker (pid 7) is killed by signal: Bus error. It is possible that "
      "dataloader's workers are out of shared memory.";
  EXPECT_EQ(EndOf(facts).kind, "shm_full");
}

TEST(RunEnd, KnowsADeviceWithoutMemory) {
  ExitFacts facts = Exited(1);
  facts.out_of_memory = true;
  facts.exception = "torch.OutOfMemoryError: CUDA out of memory.\nTried to allocate";
  const RunEnd end = EndOf(facts);
  EXPECT_EQ(end.kind, "out_of_memory");
  EXPECT_EQ(end.text,
            "It ended with exit code 1. It got no memory on the GPU. Its last words: "
            "torch.OutOfMemoryError: CUDA out of memory.");
  facts.code = 0;
  EXPECT_EQ(EndOf(facts).kind, "exit") << "it went on to a good end";
}

TEST(RunEnd, KnowsAnErrorOfTheDriver) {
  ExitFacts facts = Exited(1);
  facts.xids = {{EventType::kXid, {95 * kSecond}, "GPU-1", 79}};
  const RunEnd end = EndOf(facts);
  EXPECT_EQ(end.kind, "xid");
  EXPECT_THAT(end.text, HasSubstr("XID 79 on GPU-1: the card fell off the bus."));
  facts.exception = "RuntimeError: CUDA error: unspecified launch failure";
  EXPECT_EQ(EndOf(facts).kind, "xid") << "the card is why";
  facts.exception = "ValueError: no such file";
  EXPECT_EQ(EndOf(facts).kind, "exit") << "the program ended for something else";
  EXPECT_THAT(EndOf(facts).text, HasSubstr("XID 79"));
}

TEST(RunEnd, KnowsAnErrorOfCuda) {
  ExitFacts facts = Exited(1);
  facts.exception =
      "RuntimeError: CUDA error: an illegal memory access was encountered\nCUDA kernel";
  EXPECT_EQ(EndOf(facts).kind, "cuda_error");
  facts.xids = {{EventType::kXid, {95 * kSecond}, "GPU-1", 31}};
  EXPECT_EQ(EndOf(facts).kind, "cuda_error") << "XID 31 is the driver's word for the same";
  facts.exception = "";
  EXPECT_EQ(EndOf(facts).kind, "xid") << "nobody else says why";
}

TEST(CudaError, IsFoundInTheWordsOfEachFramework) {
  EXPECT_EQ(CudaErrorIn("x\nRuntimeError: CUDA error: device-side assert triggered\nCUDA kernel"),
            "device-side assert triggered");
  EXPECT_EQ(CudaErrorIn("OSError: (External) CUDA error(700), an illegal memory access was "
                        "encountered. \n  [Hint: …"),
            "CUDA error(700), an illegal memory access was encountered.");
  EXPECT_EQ(CudaErrorIn("INTERNAL: CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure"),
            "CUDA_ERROR_LAUNCH_FAILED: unspecified launch failure");
}

TEST(CudaError, IsNoneForWantOfMemoryOrInOtherWords) {
  EXPECT_EQ(CudaErrorIn("RuntimeError: CUDA error: out of memory\n"), "");
  EXPECT_EQ(CudaErrorIn("CUDA_ERROR_OUT_OF_MEMORY: out of memory"), "");
  EXPECT_EQ(CudaErrorIn("no CUDA errors"), "");
  EXPECT_EQ(CudaErrorIn(""), "");
  EXPECT_EQ(CudaErrorIn("CUDA error: out of memory\nCUDA error: misaligned address\n"),
            "misaligned address");
}

TEST(Exception, IsWhatStandsBehindTheLastTraceback) {
  EXPECT_EQ(
      ExceptionIn("Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    f()\n"
                  "ValueError: first\n\nTraceback (most recent call last):\n  File \"a.py\"\n"
                  "KeyError: 'x'\nbye\n"),
      "KeyError: 'x'\nbye\n");
  EXPECT_EQ(ExceptionIn("Traceback (most recent call last):\n  File \"a.py\"\n"), "") << "cut";
  EXPECT_EQ(ExceptionIn("ValueError: logged\n"), "");
}

TEST(RunEnd, CanBeReadBackFromTheRecording) {
  ExitFacts facts = Killed(SIGTERM);
  facts.cpu_user = 1.5;
  facts.memory_limit = 8 * kGiB;
  facts.core_dumped = true;
  facts.seconds = 12.25;
  facts.left_behind = 2;
  facts.out_of_memory = true;
  facts.exception = "ValueError: two\nlines";
  facts.signals = {{SIGTERM, {88 * kSecond + 250'000'000}, 412, "a program"}};
  facts.xids = {{EventType::kXid, {95 * kSecond}, "GPU-1", 31}};
  const ExitFacts back = FactsOf(EndOf(facts));
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    EXPECT_EQ(EndText(back, language), EndText(facts, language));
  }
  EXPECT_EQ(KindOf(back), KindOf(facts));
  EXPECT_EQ(back.seconds, 12.25);
  EXPECT_EQ(back.cpu_user, 1.5);
  EXPECT_FALSE(back.cpu_system);
  ASSERT_EQ(back.signals.size(), 1U);
  EXPECT_EQ(back.signals[0].time.ns, facts.signals[0].time.ns);
  ASSERT_EQ(back.xids.size(), 1U);
  EXPECT_EQ(back.xids[0].time.ns, 95 * kSecond);

  RunEnd odd;
  odd.kind = "oom_killed";
  odd.facts = {{"signal", "x"}, {"xid", ""}, {"left_behind", "many"}, {"shm_used_bytes", "nan"}};
  EXPECT_TRUE(FactsOf(odd).signals.empty());
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
}  // namespace gpusight::record
