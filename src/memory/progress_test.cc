// SPDX-License-Identifier: Apache-2.0
// What training programs print, in the words of the common ones.
#include "memory/progress.h"

#include <gtest/gtest.h>

#include <vector>

namespace gpusight::memory {
namespace {

struct Case {
  std::string_view line;
  int step = -1, epoch = -1;
};

class ProgressLines : public testing::TestWithParam<Case> {};

TEST_P(ProgressLines, GiveStepAndEpoch) {
  const Progress progress = ProgressOf(GetParam().line);
  const auto number = [](const std::optional<uint64_t>& n) {
    return n ? static_cast<int>(*n) : -1;
  };
  EXPECT_EQ(number(progress.step), GetParam().step) << GetParam().line;
  EXPECT_EQ(number(progress.epoch), GetParam().epoch) << GetParam().line;
}

INSTANTIATE_TEST_SUITE_P(
    Common, ProgressLines,
    testing::Values(Case{"Epoch 3 step 120: loss 0.3", 120, 3},
                    Case{"[2026-01-02] global_step: 1200, lr 1e-4", 1200},
                    Case{" iteration      100/     500 | consumed samples: 3200 | elapsed time",
                         100},
                    Case{"Epoch: [3][ 120/1000]  Time 0.1", -1, 3},
                    Case{"{'loss': 0.31, 'grad_norm': 1.2, 'epoch': 2.43}", -1, 2},
                    Case{" 12%|█▏        | 120/1000 [00:10<01:20, 10.9it/s]", 120},
                    Case{"Epoch 7:  12%|█▏ | 120/1000 [00:10<01:20]", 120, 7},
                    Case{"2026-01-02 - mmengine - INFO - Epoch(train)  [3][50/100]", -1, -1},
                    Case{"eta: 0:12:01  iter: 19  total_loss: 1.2", 19},
                    Case{"Iter 40, loss 0.2", 40},
                    Case{"[TRAIN] epoch: 1, iter: 10/1000, loss: 0.6", 10, 1},
                    Case{"step time 0.31 s"}, Case{"step 0.31s"}, Case{"stepping back 3 times"},
                    Case{"epochs: 10", -1, 10}, Case{"nothing"}));

TEST(Progress, ComesLater) {
  EXPECT_TRUE(IsLater({5, {}}, {6, {}}));
  EXPECT_FALSE(IsLater({5, {}}, {5, {}}));
  EXPECT_FALSE(IsLater({5, {}}, {4, {}}));
  EXPECT_TRUE(IsLater({500, 1}, {3, 2})) << "the next epoch begins again";
  EXPECT_FALSE(IsLater({5, 2}, {6, 1}));
  EXPECT_TRUE(IsLater({}, {1, {}}));
  EXPECT_FALSE(IsLater({5, {}}, {{}, {}}));
}

TEST(Trace, ReadsBothStyles) {
  const auto python = TraceLineOf("  File \"/job/train.py\", line 140, in training_step");
  ASSERT_TRUE(python);
  EXPECT_EQ(python->line, 140u);
  EXPECT_EQ(python->function, "training_step");
  EXPECT_TRUE(TraceLineOf("/job/train.py:140 in f"));
  EXPECT_FALSE(TraceLineOf("File \"x"));
  EXPECT_FALSE(TraceLineOf("train.py:140: warning"));
  EXPECT_FALSE(TraceLineOf("File \"a\", line 99999999999999999999, in f"));
}

TEST(Trace, NamesTheInnermostLineOfTheUser) {
  const std::vector<TraceLine> trace = {
      {"/job/main.py", 3, "main"},
      {"/job/model.py", 14, "forward"},
      {"/opt/venv/lib/python3.11/site-packages/torch/nn/functional.py", 99, "relu"}};
  EXPECT_EQ(OwnLine(trace)->file, "/job/model.py");
  EXPECT_EQ(FrameworkOf(trace), Framework::kPyTorch);
  EXPECT_EQ(OwnLine({}), nullptr);
}

}  // namespace
}  // namespace gpusight::memory
