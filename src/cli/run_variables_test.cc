// SPDX-License-Identifier: Apache-2.0
#include "cli/run_variables.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "testing/temp_folder.h"

namespace gpusight::cli {
namespace {

using testing::ElementsAre;

TEST(RunVariables, LeaveTheOthersAndTheirOrder) {
  const char* const environment[] = {"B=1", "ODD", "A=2", "B=again", "=x", nullptr};
  EXPECT_THAT(WithVariables(environment, {{"A", "new"}, {"C", "c=d"}}),
              ElementsAre("B=1", "ODD", "A=new", "B=again", "=x", "C=c=d"));
  EXPECT_THAT(WithVariables(environment, {}), ElementsAre("B=1", "ODD", "A=2", "B=again", "=x"));
  EXPECT_THAT(WithVariables(environment, {{"B", "3"}}), ElementsAre("B=3", "ODD", "A=2", "=x"));
  EXPECT_THAT(WithVariables(nullptr, {{"A", ""}}), ElementsAre("A="));
}

TEST(RunVariables, PutTheFolderInFrontOfPythonPath) {
  EXPECT_EQ(InFront("/ours", "/a:/b"), "/ours:/a:/b");
  EXPECT_EQ(InFront("/ours", "/ours:/a"), "/ours:/a");
  EXPECT_EQ(InFront("/ours", "/ours"), "/ours");
  EXPECT_EQ(InFront("/ours", "/ours2"), "/ours:/ours2");
  EXPECT_EQ(InFront("/ours", ""), "/ours") << "an empty entry would be the present folder";
}

TEST(RunVariables, FindThePackageBesideTheProgram) {
  const TempFolder folder_of_all;
  const std::string& base = folder_of_all.path();
  const auto put = [&base](const std::string& folder) {
    std::filesystem::create_directories(base + folder);
    std::ofstream(base + folder + "/sitecustomize.py") << "";
    return std::filesystem::canonical(base + folder).string();
  };
  std::filesystem::create_directories(base + "/bin");
  EXPECT_EQ(BootstrapFolder(base + "/bin/gpusight"), "");
  const std::string wheel = put("/bootstrap");
  EXPECT_EQ(BootstrapFolder(base + "/bin/gpusight"), wheel);
  const std::string build = put("/python/gpusight/bootstrap");
  EXPECT_EQ(BootstrapFolder(base + "/bin/gpusight"), build);
  const std::string installed = put("/lib/gpusight/python/gpusight/bootstrap");
  EXPECT_EQ(BootstrapFolder(base + "/bin/gpusight"), installed);
}

TEST(PlaceForPages, IsMemoryWhereThereIsRoom) {
  constexpr double kMiB = 1 << 20;
  const PlaceForPages roomy{"/dev/shm", true, true, 1024 * kMiB};
  const PlaceForPages small{"/dev/shm", true, true, 64 * kMiB};
  const PlaceForPages closed{"/dev/shm", false, true, 1024 * kMiB};
  const PlaceForPages disk{"/tmp", true, false, 10 * kMiB};
  const PlaceForPages memory{"/tmp", true, true, 512 * kMiB};
  const auto choose = [](std::vector<PlaceForPages> places) { return ChoosePlace(places); };
  EXPECT_EQ(choose({roomy, disk}), "/dev/shm");
  EXPECT_EQ(choose({small, disk}), "/tmp") << "a container's: the data loader needs it";
  EXPECT_EQ(choose({small, memory}), "/tmp");
  EXPECT_EQ(choose({closed, disk}), "/tmp");
  EXPECT_EQ(choose({small}), "");
  EXPECT_EQ(choose({}), "");
}

TEST(RunId, IsTheTimeAndChance) {
  setenv("TZ", "UTC", 1);
  tzset();
  EXPECT_EQ(MakeRunId({1'775'383'872'000'000'000}, 0xbeef), "20260405-101112-0000beef");
}

}  // namespace
}  // namespace gpusight::cli
