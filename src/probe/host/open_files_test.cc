// SPDX-License-Identifier: Apache-2.0
#include "probe/host/open_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpusight::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(IsDeviceNode, KnowsTheNodesOfTheDrivers) {
  for (const char* path :
       {"/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-caps/nvidia-cap1",
        "/dev/dxg", "/dev/nvhost-ctrl-gpu", "/dev/nvgpu/igpu0/ctrl", "/dev/nvmap"}) {
    EXPECT_TRUE(IsDeviceNode(path)) << path;
  }
  for (const char* path : {"/dev/null", "/dev/nvme0n1", "/home/x/dev/nvidia0", "pipe:[1]", ""}) {
    EXPECT_FALSE(IsDeviceNode(path)) << path;
  }
}

TEST(ParseNamespaceLink, TakesTheNumber) {
  EXPECT_EQ(ParseNamespaceLink("pid:[4026531836]"), 4026531836u);
  EXPECT_EQ(ParseNamespaceLink("mnt:[1]"), 1u);
  for (const char* text : {"", "pid:[", "pid:[x]", "pid:4026531836", "[1", "pid:[1"}) {
    EXPECT_EQ(ParseNamespaceLink(text), 0u) << text;
  }
}

TEST(MountOf, TakesTheNearestAboveAndOfEqualsTheLast) {
  const auto mounts = cgroup::ParseMountInfo(
      "1 0 0:1 / / rw - ext4 /dev/a rw\n2 1 0:2 / /data rw - nfs4 s:/x rw\n"
      "3 2 0:3 / /data rw - lustre s:/y rw\n4 1 0:4 / /database rw - xfs /dev/b rw\n");
  EXPECT_EQ(MountOf(mounts, "/data/a")->id, 3);
  EXPECT_EQ(MountOf(mounts, "/data")->id, 3);
  EXPECT_EQ(MountOf(mounts, "/database/x")->id, 4);
  EXPECT_EQ(MountOf(mounts, "/home")->id, 1);
  EXPECT_EQ(MountOf({}, "/home"), nullptr);
}

class OnBareHost : public testing::Test {
 protected:
  Root root_{std::string(GPUSIGHT_TESTDATA) + "/hosts/bare"};
  ProcFolder proc_{root_};
  OpenFiles files_{proc_};
};

TEST_F(OnBareHost, FindsWhoHoldsADevice) {
  EXPECT_EQ(files_.FindDeviceNode(1010), HoldsDevice::kYes);
  EXPECT_EQ(files_.FindDeviceNode(1300), HoldsDevice::kNo);
  EXPECT_EQ(files_.FindDeviceNode(999999), HoldsDevice::kUnknown);
}

TEST_F(OnBareHost, CountsOpenFiles) {
  EXPECT_EQ(files_.Count(1010), 7.0);
  EXPECT_EQ(files_.Count(999999), Absence::kNotSupported);
}

TEST_F(OnBareHost, NamesFileSystemsWithTheNetworksFirst) {
  std::vector<std::string> mounts;
  files_.ListMounts(1010, mounts);
  EXPECT_THAT(mounts, ElementsAre("nfs4 /data", "ext4 /"));
  files_.ListMounts(999999, mounts);
  EXPECT_THAT(mounts, IsEmpty());
}

TEST_F(OnBareHost, ReadsNamespaces) {
  EXPECT_EQ(files_.NamespaceOf(1010, "pid"), 4026531836u);
  EXPECT_EQ(files_.NamespaceOf(999999, "pid"), Known<uint64_t>(Absence::kNotSupported));
}

}  // namespace
}  // namespace gpusight::host
