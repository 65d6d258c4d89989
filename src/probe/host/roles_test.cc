// SPDX-License-Identifier: Apache-2.0
#include "probe/host/roles.h"

#include <gtest/gtest.h>

namespace gpusight::host {
namespace {

struct Case {
  std::vector<std::string_view> arguments;
  CommandKind kind;
  std::string_view comm = "python3";
};

class CommandLineOf : public testing::TestWithParam<Case> {};
TEST_P(CommandLineOf, IsRecognised) {
  EXPECT_EQ(KindOf(GetParam().comm, GetParam().arguments), GetParam().kind)
      << (GetParam().arguments.empty() ? "" : GetParam().arguments.back());
}

INSTANTIATE_TEST_SUITE_P(
    Launchers, CommandLineOf,
    testing::Values(
        Case{{"/usr/bin/python3", "/usr/local/bin/torchrun", "--nproc-per-node=8", "train.py"},
             CommandKind::kLauncher},
        Case{{"torchrun", "train.py"}, CommandKind::kLauncher},
        Case{{"python", "-m", "torch.distributed.run", "train.py"}, CommandKind::kLauncher},
        Case{{"python", "-u", "-m", "torch.distributed.launch", "x.py"}, CommandKind::kLauncher},
        Case{{"python", "-um", "paddle.distributed.launch", "x.py"}, CommandKind::kLauncher},
        Case{{"python", "-W", "ignore", "-X", "dev", "-m", "accelerate.commands.launch", "x.py"},
             CommandKind::kLauncher},
        Case{{"/opt/venv/bin/python3.11", "/opt/venv/bin/accelerate", "launch", "x.py"},
             CommandKind::kLauncher},
        Case{{"/usr/bin/python", "-u", "/x/site-packages/deepspeed/launcher/launch.py",
              "--world_info=a"},
             CommandKind::kLauncher},
        Case{{"/usr/bin/python", "/x/site-packages/torch/distributed/run.py", "a.py"},
             CommandKind::kLauncher},
        Case{{"mpirun", "-np", "8", "python", "train.py"}, CommandKind::kLauncher, "mpirun"},
        Case{{"/usr/bin/mpiexec.hydra", "-n", "2", "python"}, CommandKind::kLauncher, "mpiexec"}));

INSTANTIATE_TEST_SUITE_P(
    Parts, CommandLineOf,
    testing::Values(
        Case{{"python3", "-c",
              "from multiprocessing.spawn import spawn_main; spawn_main(tracker_fd=5)",
              "--multiprocessing-fork"},
             CommandKind::kSpawned},
        Case{{"python3", "-Ic", "from multiprocessing.spawn import spawn_main; spawn_main()"},
             CommandKind::kSpawned},
        Case{{"python3", "-c", "from multiprocessing.forkserver import main; main(5, 6)"},
             CommandKind::kForkServer},
        Case{{"python3", "-c", "from multiprocessing.resource_tracker import main;main(5)"},
             CommandKind::kTracker},
        Case{{"python3", "-c", "from multiprocessing.semaphore_tracker import main;main(5)"},
             CommandKind::kTracker},
        Case{{"python3", "train.py"}, CommandKind::kNamedWorker, "pt_data_worker"},
        Case{{"python3", "/x/torch/_inductor/compile_worker/__main__.py", "--workers=8"},
             CommandKind::kCompilerPool},
        Case{{"python3", "-m", "torch._inductor.compile_worker"}, CommandKind::kCompilerPool},
        Case{{"/usr/local/cuda/bin/ptxas", "-v"}, CommandKind::kCompilerTool, "ptxas"},
        Case{{"/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus"}, CommandKind::kCompilerTool, "cc1plus"}));

INSTANTIATE_TEST_SUITE_P(
    Plain, CommandLineOf,
    testing::Values(
        Case{{}, CommandKind::kPlain}, Case{{"python3", "train.py"}, CommandKind::kPlain},
        Case{{"python3", "-u", "train.py", "-m", "torch.distributed.run"}, CommandKind::kPlain},
        Case{{"python3", "train.py", "torchrun"}, CommandKind::kPlain},
        Case{{"python3", "-m"}, CommandKind::kPlain}, Case{{"python3", "-c"}, CommandKind::kPlain},
        Case{{"vim", "torchrun"}, CommandKind::kPlain, "vim"},
        Case{{"python3", "my_torchrun.py"}, CommandKind::kPlain},
        Case{{"python3", "-"}, CommandKind::kPlain}, Case{{""}, CommandKind::kPlain}));

const Kin kTrainer{CommandKind::kPlain, true, false, 7};
const Kin kRank{CommandKind::kPlain, true, true, 7};
const Kin kLauncher{CommandKind::kLauncher, false, false, 1};

TEST(RoleOf, AForkedChildOfATrainerIsAWorker) {
  EXPECT_EQ(RoleOf({CommandKind::kPlain, false, true, 7}, &kRank, &kLauncher),
            ProcessRole::kLoaderWorker);
}

TEST(RoleOf, AProgramThatATrainerStartedIsNone) {
  EXPECT_EQ(RoleOf({CommandKind::kPlain, false, true, 8}, &kRank, &kLauncher), ProcessRole::kOther);
  EXPECT_EQ(RoleOf({CommandKind::kPlain, false, false, 0}, &kTrainer, nullptr),
            ProcessRole::kOther);
}

TEST(RoleOf, ASpawnedChildOfATrainerIsAWorker) {
  EXPECT_EQ(RoleOf({CommandKind::kSpawned, false, false, 9}, &kTrainer, nullptr),
            ProcessRole::kLoaderWorker);
}

TEST(RoleOf, ASpawnedChildOnADeviceIsARank) {
  const Kin parent{CommandKind::kPlain, false, false, 7};
  EXPECT_EQ(RoleOf({CommandKind::kSpawned, true, false, 9}, &parent, nullptr), ProcessRole::kRank);
}

TEST(RoleOf, ASpawnedChildOfABystanderIsNone) {
  const Kin parent{CommandKind::kPlain, false, false, 7};
  EXPECT_EQ(RoleOf({CommandKind::kSpawned, false, false, 9}, &parent, nullptr),
            ProcessRole::kOther);
}

TEST(RoleOf, AChildOfTheForkServerIsAWorkerAndTheServerIsNone) {
  const Kin server{CommandKind::kForkServer, false, false, 5};
  EXPECT_EQ(RoleOf(server, &kTrainer, nullptr), ProcessRole::kOther);
  EXPECT_EQ(RoleOf({CommandKind::kForkServer, false, false, 5}, &server, &kTrainer),
            ProcessRole::kLoaderWorker);
  const Kin idle{CommandKind::kPlain, false, false, 7};
  EXPECT_EQ(RoleOf({CommandKind::kForkServer, false, false, 5}, &server, &idle),
            ProcessRole::kOther);
}

TEST(RoleOf, TrackersAndCompilersAreNoWorkers) {
  EXPECT_EQ(RoleOf({CommandKind::kTracker, false, false, 3}, &kTrainer, nullptr),
            ProcessRole::kOther);
  EXPECT_EQ(RoleOf({CommandKind::kCompilerPool, false, false, 3}, &kTrainer, nullptr),
            ProcessRole::kCompiler);
  EXPECT_EQ(RoleOf({CommandKind::kCompilerTool, false, false, 3}, nullptr, nullptr),
            ProcessRole::kCompiler);
}

TEST(RoleOf, AWorkerThatNamedItselfIsOneWhoeverItsParentIs) {
  EXPECT_EQ(RoleOf({CommandKind::kNamedWorker, false, false, 3}, nullptr, nullptr),
            ProcessRole::kLoaderWorker);
}

TEST(RoleOf, ChildrenOfALauncherAreRanks) {
  EXPECT_EQ(RoleOf(kRank, &kLauncher, nullptr), ProcessRole::kRank);
  EXPECT_EQ(RoleOf(kTrainer, &kLauncher, nullptr), ProcessRole::kRank);
  // not on a device yet
  EXPECT_EQ(RoleOf({CommandKind::kPlain, false, true, 7}, &kLauncher, nullptr), ProcessRole::kRank);
  EXPECT_EQ(RoleOf({CommandKind::kPlain, false, false, 7}, &kLauncher, nullptr),
            ProcessRole::kOther);
}

TEST(RoleOf, AProcessOnADeviceWithARankIsARankWithoutALauncherInSight) {
  EXPECT_EQ(RoleOf(kRank, nullptr, nullptr), ProcessRole::kRank);
  EXPECT_EQ(RoleOf(kTrainer, nullptr, nullptr), ProcessRole::kOther);
}

}  // namespace
}  // namespace gpusight::host
