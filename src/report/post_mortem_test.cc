// SPDX-License-Identifier: Apache-2.0
#include "report/post_mortem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/training_run.h"

namespace gpusight::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(PostMortem, SaysWhyInBothLanguagesAndWhatToTry) {
  const auto frames = FramesOfTraining(120);
  const PostMortem found = Explain(FailedAllocation(frames.back().time), 4100, frames);
  EXPECT_TRUE(found.observed);
  EXPECT_NE(found.cause, "");
  EXPECT_FALSE(found.sentence.english.empty());
  EXPECT_NE(found.sentence.english, found.sentence.chinese);
  EXPECT_FALSE(found.account.empty());
  EXPECT_TRUE(found.account.back().total);
  EXPECT_FALSE(found.advice.empty());
  EXPECT_THAT(found.stack, testing::ElementsAre("model.py:40 forward", "train.py:12 main"));
}

TEST(PostMortem, KnowsTheNeighbourFromTheFrames) {
  const auto frames = FramesOfTraining(120);
  const PostMortem found = Explain(FailedAllocation(frames.back().time), 4100, frames);
  bool others = false;
  for (const auto& row : found.account) others = others || row.number == "3.00";
  EXPECT_TRUE(others);
}

TEST(PostMortem, KnowsTheNeighbourAlsoWhenTheProcessHasEndedSince) {
  auto frames = FramesOfTraining(120);
  Frame after = frames.back();
  after.time.ns += 1'000'000'000;
  std::erase_if(after.processes, [](const ProcessSample& one) { return one.pid == 4100; });
  frames.push_back(after);
  const PostMortem found = Explain(FailedAllocation(frames[frames.size() - 2].time), 4100, frames);
  EXPECT_THAT(found.account, testing::Contains(testing::Field(&PostMortem::Row::number, "3.00")));
}

TEST(PostMortem, WithoutFramesItSaysWhatItCouldNotSee) {
  const PostMortem found = Explain(FailedAllocation({TrainingRun::kBegin}), 4100, {});
  EXPECT_FALSE(found.sentence.english.empty());
  EXPECT_FALSE(found.gaps.empty());
}

TEST(PostMortem, ReadsWhatTheProgramPrinted) {
  const auto found = ExplainOutput(
      "Traceback (most recent call last):\n"
      "  File \"train.py\", line 12, in main\n"
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 90.00 GiB. GPU 0 has a total "
      "capacity of 139.80 GiB of which 40.00 GiB is free. Process 7 has 71.00 GiB memory in use. "
      "Of "
      "the allocated memory 55.00 GiB is allocated by PyTorch, and 15.00 GiB is reserved by "
      "PyTorch "
      "but unallocated.\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found[0].observed);
  EXPECT_FALSE(found[0].advice.empty());
}

TEST(PostMortem, BelievesTheKernelsCountersRatherThanThatSomethingWasKilled) {
  const char* worker = "RuntimeError: DataLoader worker (pid 7) is killed by signal: Killed.\n";
  const auto unknown = ExplainOutput(worker);
  ASSERT_EQ(unknown.size(), 1U);
  EXPECT_EQ(unknown[0].cause, "host_memory");
  EXPECT_TRUE(ExplainOutput(worker, false).empty()) << "somebody else sent SIGKILL";
  const auto counted = ExplainOutput(worker, true);
  ASSERT_EQ(counted.size(), 1U);
  EXPECT_GT(counted[0].confidence, unknown[0].confidence);
}

TEST(PostMortem, OrdinaryOutputHasNothingToExplain) {
  EXPECT_TRUE(ExplainOutput("epoch 3: loss 1.8\n").empty());
  EXPECT_TRUE(ExplainOutput("").empty());
}

TEST(PostMortem, HostileStacksStayPrintable) {
  OutOfMemory failure = FailedAllocation({TrainingRun::kBegin});
  failure.stack = "\x1b[31m;;a.py:1 \xff";
  const PostMortem found = Explain(failure, 4100, {});
  ASSERT_EQ(found.stack.size(), 2U);
  EXPECT_THAT(found.stack[0], Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace gpusight::report
