// SPDX-License-Identifier: Apache-2.0
#include "report/failure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "base/text.h"
#include "report/failure_text.h"
#include "testing/training_run.h"

namespace gpusight::report {
namespace {

using record::EndCause;
using testing::HasSubstr;
using testing::Not;

constexpr double kMi = 1 << 20;

std::vector<Frame> FramesOf(double seconds) {
  std::vector<Frame> frames = FramesOfTraining(seconds);
  for (Frame& one : frames) {
    for (ProcessSample& process : one.processes) process.in_job = process.pid != 9000;
  }
  return frames;
}

// The allocation fails in the frame at that place.
std::vector<Frame> FailedAt(size_t from_the_end) {
  std::vector<Frame> frames = FramesOf(120);
  Frame& frame = frames[frames.size() - from_the_end];
  frame.frameworks[0].out_of_memory = {FailedAllocation(frame.time)};
  return frames;
}

ExitFacts Exited(int code, const std::vector<Frame>& frames) {
  ExitFacts exit;
  exit.kind = EndKind::kExited;
  exit.code = code;
  exit.ended = frames.empty() ? WallTime{} : frames.back().time;
  return exit;
}

TEST(Failure, OfMemoryHasTheAccountTheCourseTheStackAndWhatToTry) {
  const auto frames = FailedAt(1);
  ExitFacts exit = Exited(1, frames);
  exit.out_of_memory = true;
  const Failure found = ExplainFailure(exit, frames, "");
  EXPECT_TRUE(found.worth_telling());
  EXPECT_EQ(found.cause, EndCause::kOutOfMemory);
  ASSERT_EQ(found.post_mortems.size(), 1U);
  EXPECT_FALSE(found.post_mortems[0].caught);
  ASSERT_GE(found.course.seconds.size(), 2U);
  EXPECT_EQ(found.course.seconds.back(), 0);
  EXPECT_NEAR(found.course.seconds.front(), 60, 1);
  EXPECT_FALSE(found.course.rows.empty());
  const std::string screen = FailureText(found, "runs/a.gpusight", 80, Language::kEnglish);
  for (const char* part : {"What happened: Out of GPU memory", "exit code 1", "asked for 90.00 GiB",
                           "tensors of this job", "asked for", "60s", "allocated", "utilisation",
                           "model.py:40 forward", "What to try first", "PyTorch", "PaddlePaddle",
                           "gpusight report runs/a.gpusight"}) {
    EXPECT_THAT(screen, HasSubstr(part));
  }
}

TEST(Failure, IsCaughtWhereTheRunEndedWellOrWithSomethingElse) {
  const auto frames = FailedAt(1);
  const Failure well = ExplainFailure(Exited(0, frames), frames, "");
  EXPECT_TRUE(well.worth_telling());
  EXPECT_EQ(well.cause, EndCause::kNone);
  EXPECT_TRUE(well.post_mortems.at(0).caught);
  EXPECT_THAT(FailureText(well, "", 80, Language::kEnglish), HasSubstr("and the program went on"));
  ExitFacts other = Exited(1, frames);
  other.exception = "ValueError: no such column";
  const Failure otherwise = ExplainFailure(other, frames, "");
  EXPECT_EQ(otherwise.cause, EndCause::kNone);
  EXPECT_TRUE(otherwise.post_mortems.at(0).caught);
}

TEST(Failure, IsCaughtWhereStepsFollowed) {
  const auto frames = FailedAt(30);
  const Failure found = ExplainFailure(Exited(1, frames), frames, "");
  EXPECT_TRUE(found.post_mortems.at(0).caught);
  EXPECT_EQ(found.cause, EndCause::kNone);
}

TEST(Failure, OfHostMemoryShowsHostMemoryAndItsLimit) {
  const auto frames = FramesOf(120);
  ExitFacts exit = Exited(0, frames);
  exit.kind = EndKind::kSignal;
  exit.signal = SIGKILL;
  exit.oom_kills_container = 1;
  exit.memory_limit = 512 * kMi;
  const Failure found = ExplainFailure(exit, frames, "");
  EXPECT_EQ(found.cause, EndCause::kHostMemory);
  ASSERT_EQ(found.post_mortems.size(), 1U);
  EXPECT_EQ(found.post_mortems[0].cause, "host_memory");
  const std::string screen = FailureText(found, "", 80, Language::kEnglish);
  EXPECT_THAT(screen, HasSubstr("Killed by the kernel: no host memory left"));
  EXPECT_THAT(screen, HasSubstr("The limit is 512.0MiB."));
  EXPECT_THAT(screen, HasSubstr("host memory, job"));
}

TEST(Failure, OfSharedMemorySaysHowToMakeItLarger) {
  ExitFacts exit = Exited(0, {});
  exit.kind = EndKind::kSignal;
  exit.signal = SIGBUS;
  exit.shm_total = exit.shm_used = 64 * kMi;
  const Failure found = ExplainFailure(exit, {}, "");
  EXPECT_EQ(found.cause, EndCause::kSharedMemory);
  const std::string screen = FailureText(found, "", 80, Language::kEnglish);
  EXPECT_THAT(screen, HasSubstr("No room in /dev/shm"));
  EXPECT_THAT(screen, HasSubstr("--shm-size"));
}

TEST(Failure, OfTheCardAndOfCudaSaysWhatToTry) {
  const auto frames = FramesOf(120);
  ExitFacts exit = Exited(1, frames);
  exit.xids = {{EventType::kXid, exit.ended, "GPU-1", 79}};
  const Failure card = ExplainFailure(exit, frames, "");
  EXPECT_EQ(card.cause, EndCause::kXid);
  const std::string screen = FailureText(card, "", 80, Language::kEnglish);
  EXPECT_THAT(screen, HasSubstr("XID 79 on GPU-1: the card fell\n  off the bus."));
  EXPECT_THAT(screen, HasSubstr("power"));

  exit = Exited(1, frames);
  exit.exception = "RuntimeError: CUDA error: device-side assert triggered\nCUDA kernel errors …";
  const Failure cuda = ExplainFailure(exit, frames, "");
  EXPECT_EQ(cuda.cause, EndCause::kCudaError);
  const std::string text = FailureText(cuda, "", 80, Language::kEnglish);
  EXPECT_THAT(text, HasSubstr("A call to CUDA failed"));
  EXPECT_THAT(text, HasSubstr("CUDA_LAUNCH_BLOCKING=1"));
  EXPECT_THAT(text, HasSubstr("index out of range"));
}

TEST(Failure, IsReadFromWhatTheProgramPrintedOrRaised) {
  ExitFacts exit = Exited(1, {});
  exit.out_of_memory = true;
  exit.exception =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 90.00 GiB. GPU 0 has a total "
      "capacity of 139.80 GiB of which 40.00 GiB is free.";
  const Failure found = ExplainFailure(exit, {}, "");
  ASSERT_EQ(found.post_mortems.size(), 1U);
  EXPECT_FALSE(found.post_mortems[0].observed);
}

TEST(Failure, IsNothingToTellWhereSomebodyAskedOrNothingIsKnown) {
  ExitFacts exit = Exited(1, {});
  EXPECT_FALSE(ExplainFailure(exit, {}, "").worth_telling()) << "grep found nothing";
  exit.code = 0;
  EXPECT_FALSE(ExplainFailure(exit, {}, "").worth_telling());
  exit.kind = EndKind::kSignal;
  exit.signal = SIGINT;
  EXPECT_FALSE(ExplainFailure(exit, {}, "").worth_telling()) << "Ctrl-C";
  exit.signal = SIGTERM;
  exit.signals = {{SIGTERM, {}, 7, "slurmstepd"}};
  EXPECT_FALSE(ExplainFailure(exit, {}, "").worth_telling());
  exit.signal = SIGSEGV;
  EXPECT_TRUE(ExplainFailure(exit, {}, "").worth_telling());
  exit = Exited(130, {});
  exit.exception = "KeyboardInterrupt";
  EXPECT_FALSE(ExplainFailure(exit, {}, "").worth_telling());
}

TEST(FailureText, FitsNarrowTerminalsInBothLanguages) {
  const auto frames = FailedAt(1);
  ExitFacts exit = Exited(1, frames);
  exit.out_of_memory = true;
  const Failure found = ExplainFailure(exit, frames, "");
  for (const int columns : {30, 40, 56, 80, 200}) {
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      const std::string screen = FailureText(found, "", columns, language);
      std::string_view rest = screen;
      while (const auto line = NextLine(rest)) {
        // Code is to be pasted, and the longer.
        const bool code = line->find('(') < line->size() || line->find('=') < line->size() ||
                          line->find("   ") == 0;
        EXPECT_TRUE(code || DisplayWidth(*line) <= columns) << columns << ": " << *line;
        EXPECT_FALSE(line->ends_with(' ')) << "'" << *line << "'";
      }
    }
  }
}

TEST(FailureText, KeepsHostileWordsPrintable) {
  ExitFacts exit = Exited(1, {});
  exit.exception = "ValueError: \x1b[31mred\xff\r\nsecond";
  exit.xids = {{EventType::kXid, {}, "GPU-\x1b[2J", 79}};
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    EXPECT_THAT(FailureText(ExplainFailure(exit, {}, ""), "", 80, language),
                Not(HasSubstr("\x1b")));
  }
}

}  // namespace
}  // namespace gpusight::report
