// SPDX-License-Identifier: Apache-2.0
#include "cli/run_name.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "testing/temp_folder.h"

namespace gpusight::cli {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(RunName, IsTheScripts) {
  EXPECT_EQ(NameOfRun({"python", "train.py"}), "train");
  EXPECT_EQ(NameOfRun({"torchrun", "--nproc-per-node", "2", "tools/train_net.py", "--cfg", "a.py"}),
            "train_net");
  EXPECT_EQ(NameOfRun({"python", "-m", "torch.distributed.run", "examples/gpt.py"}), "gpt");
  EXPECT_EQ(NameOfRun({"python", "-m", "megatron.pretrain_gpt", "--lr", "1"}), "pretrain_gpt");
  EXPECT_EQ(NameOfRun({"bash", "scripts/run_all.sh"}), "run_all");
  EXPECT_EQ(NameOfRun({"./train.py"}), "train.py");
  EXPECT_EQ(NameOfRun({"/usr/bin/nvcc", "x.cu"}), "nvcc");
  EXPECT_EQ(NameOfRun({"python", "--config=x.py", "-m"}), "python");
  EXPECT_EQ(NameOfRun({"python", ".py"}), "python");
  EXPECT_EQ(NameOfRun({"folder/"}), "folder");
}

TEST(RunFile, BeginsWithTheTimeSoThatFilesAreInOrder) {
  setenv("TZ", "UTC", 1);
  tzset();
  const WallTime time{1'775'383'872'000'000'000};  // 2026-04-05 10:11:12 UTC
  EXPECT_EQ(FileOfRun(time, "train"), "20260405-101112-train.gpusight");
  EXPECT_EQ(FileOfRun(time, ""), "20260405-101112.gpusight");
  EXPECT_EQ(FileOfRun(time, "a/b c\n"), "20260405-101112-a_b_c_.gpusight");
  EXPECT_EQ(FileOfRun(time, std::string(300, 'x')).size(), 15 + 1 + 40 + 9);
}

TEST(RunFile, NeverTakesANameThatIsTaken) {
  const TempFolder temporary;
  const std::string& folder = temporary.path();
  const std::string path = folder + "/a.gpusight";
  EXPECT_EQ(FreeName(path), path);
  std::ofstream(path) << "x";
  EXPECT_EQ(FreeName(path), folder + "/a-2.gpusight");
  std::filesystem::create_symlink("nowhere", folder + "/a-2.gpusight");
  EXPECT_EQ(FreeName(path), folder + "/a-3.gpusight") << "also a link that leads nowhere";
  std::ofstream(folder + "/b") << "x";
  EXPECT_EQ(FreeName(folder + "/b"), folder + "/b-2");
  EXPECT_EQ(FreeName(folder + "/none/a.gpusight"), folder + "/none/a.gpusight");
}

TEST(RunFolders, AreHereThenAtHomeThenInTheTemporaryFolder) {
  std::map<std::string, std::string> env{{"HOME", "/home/mei"}};
  const auto get = [&env](const char* name) -> const char* {
    const auto at = env.find(name);
    return at == env.end() ? nullptr : at->second.c_str();
  };
  const std::string last = "/gpusight-runs-" + std::to_string(geteuid());
  EXPECT_THAT(RunFolders(get),
              ElementsAre("gpusight-runs", "/home/mei/.local/state/gpusight/runs", "/tmp" + last));
  env = {{"XDG_STATE_HOME", "/state"}, {"TMPDIR", "/scratch"}};
  EXPECT_THAT(RunFolders(get),
              ElementsAre("gpusight-runs", "/state/gpusight/runs", "/scratch" + last));
  env = {};
  EXPECT_THAT(RunFolders(get), ElementsAre("gpusight-runs", "/tmp" + last));
}

TEST(RunTags, AreNamesWithValues) {
  EXPECT_TRUE(CheckTag("lr=1e-3", Language::kEnglish));
  EXPECT_TRUE(CheckTag("note=", Language::kEnglish));
  EXPECT_FALSE(CheckTag("lr", Language::kEnglish));
  EXPECT_FALSE(CheckTag("=x", Language::kEnglish));
  EXPECT_THAT(TagPairs({"a=b=c", "d="}), ElementsAre(Pair("a", "b=c"), Pair("d", "")));
}

}  // namespace
}  // namespace gpusight::cli
