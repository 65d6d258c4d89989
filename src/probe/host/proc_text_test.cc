// SPDX-License-Identifier: Apache-2.0
#include "probe/host/proc_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpusight::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::string_view_literals;

TEST(Arguments, ArePartedByZeros) {
  EXPECT_THAT(Arguments("python3\0train.py\0--name\0a b\0"sv),
              ElementsAre("python3", "train.py", "--name", "a b"));
}

TEST(Arguments, KeepEmptyOnesInTheMiddle) {
  EXPECT_THAT(Arguments("grep\0\0file\0"sv), ElementsAre("grep", "", "file"));
}

TEST(Arguments, OfARewrittenTitleAreOneWithoutItsPadding) {
  EXPECT_THAT(Arguments("ray::train()\0\0\0\0\0\0"sv), ElementsAre("ray::train()"));
  EXPECT_THAT(Arguments("VLLM::Worker_TP0          "sv), ElementsAre("VLLM::Worker_TP0"));
  EXPECT_THAT(Arguments("sshd: mei [priv]\0"sv), ElementsAre("sshd: mei [priv]"));
}

TEST(Arguments, OfAKernelThreadAreNone) {
  EXPECT_THAT(Arguments(""), IsEmpty());
  EXPECT_THAT(Arguments("\0\0"sv), IsEmpty());
}

TEST(CommandLine, JoinsByBlanksAndKeepsLineBreaks) {
  EXPECT_EQ(CommandLine("sh\0-c\0a\nb\0"sv), "sh -c a\nb");
}

TEST(PickEnvironment, TakesOnlyWhatIsNeeded) {
  const auto picked = PickEnvironment(
      "PATH=/bin\0AWS_SECRET_ACCESS_KEY=hunter2\0CUDA_VISIBLE_DEVICES=1,0\0RANK=3\0LOCAL_RANK=1\0"
      "WORLD_SIZE=8\0SLURM_JOB_ID=42\0CUDA_DEVICE_ORDER=PCI_BUS_ID\0TORCHELASTIC_RUN_ID=r\0"
      "NVIDIA_VISIBLE_DEVICES=all\0"sv);
  EXPECT_EQ(picked.visible_devices, "1,0");
  EXPECT_EQ(picked.nvidia_visible_devices, "all");
  EXPECT_EQ(picked.device_order, "PCI_BUS_ID");
  EXPECT_EQ(picked.rank, 3);
  EXPECT_EQ(picked.local_rank, 1);
  EXPECT_EQ(picked.world_size, 8);
  EXPECT_EQ(picked.slurm_job, "42");
  EXPECT_EQ(picked.elastic_run, "r");
}

TEST(PickEnvironment, TellsEmptyFromNotSet) {
  EXPECT_EQ(PickEnvironment("CUDA_VISIBLE_DEVICES=\0"sv).visible_devices, "");
  EXPECT_FALSE(
      PickEnvironment("XCUDA_VISIBLE_DEVICES=1\0CUDA_VISIBLE_DEVICES\0"sv).visible_devices);
}

TEST(PickEnvironment, TakesTheFirstOfTwoAsGetenvDoes) {
  EXPECT_EQ(PickEnvironment("CUDA_VISIBLE_DEVICES=1\0CUDA_VISIBLE_DEVICES=2\0"sv).visible_devices,
            "1");
}

TEST(PickEnvironment, KnowsPaddlesNames) {
  const auto picked =
      PickEnvironment("PADDLE_TRAINER_ID=2\0PADDLE_TRAINERS_NUM=4\0PADDLE_RANK_IN_NODE=0\0"sv);
  EXPECT_EQ(picked.rank, 2);
  EXPECT_EQ(picked.local_rank, 0);
  EXPECT_EQ(picked.world_size, 4);
}

TEST(PickEnvironment, TakesMpisAndSlurmsNumbersOfSeveralProcessesOnly) {
  const auto many = PickEnvironment("SLURM_PROCID=1\0SLURM_NTASKS=2\0SLURM_LOCALID=1\0"sv);
  EXPECT_EQ(many.rank, 1);
  EXPECT_EQ(many.local_rank, 1);
  // A batch script has them too.
  EXPECT_EQ(PickEnvironment("SLURM_PROCID=0\0SLURM_NTASKS=1\0"sv).rank, -1);
  // torchrun's own number counts before that of the step that started it.
  EXPECT_EQ(PickEnvironment("SLURM_PROCID=1\0SLURM_NTASKS=2\0RANK=5\0"sv).rank, 5);
}

TEST(PickEnvironment, PassesOverNumbersThatAreNone) {
  EXPECT_EQ(PickEnvironment("RANK=-1\0"sv).rank, -1);
  EXPECT_EQ(PickEnvironment("RANK=two\0"sv).rank, -1);
  EXPECT_EQ(PickEnvironment("RANK=99999999999\0"sv).rank, -1);
}

}  // namespace
}  // namespace gpusight::host
