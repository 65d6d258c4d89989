// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/hierarchy.h"

#include <gtest/gtest.h>

namespace gpusight::cgroup {
namespace {

Hierarchy From(std::string_view mountinfo) { return Hierarchy(ParseMountInfo(mountinfo)); }

TEST(Hierarchy, ServesEverythingFromTheUnifiedTree) {
  const Hierarchy hierarchy =
      From("35 25 0:29 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
  EXPECT_TRUE(hierarchy.unified(Controller::kMemory));
  EXPECT_EQ(hierarchy.Folder(Controller::kUnified, "/a/b"), "/sys/fs/cgroup/a/b");
  EXPECT_EQ(hierarchy.Folder(Controller::kUnified, "/"), "/sys/fs/cgroup");
}

// systemd's hybrid, as of a machine with Linux 6.18
TEST(Hierarchy, PrefersAControllersOwnTree) {
  const Hierarchy hierarchy = From(
      "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"
      "33 31 0:30 / /sys/fs/cgroup/cpuacct rw,relatime - cgroup cgroup rw,cpuacct\n"
      "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
      "40 31 0:37 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd\n"
      "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(hierarchy.Serving(Controller::kMemory), Controller::kMemory);
  EXPECT_EQ(hierarchy.Serving(Controller::kPids), Controller::kUnified);
  EXPECT_EQ(hierarchy.Folder(Controller::kMemory, "/x"), "/sys/fs/cgroup/memory/x");
  EXPECT_EQ(hierarchy.Folder(Controller::kUnified, "/x"), "/sys/fs/cgroup/unified/x");
}

TEST(Hierarchy, KnowsJoinedControllers) {
  const Hierarchy hierarchy =
      From("42 39 0:31 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
  EXPECT_EQ(hierarchy.Folder(Controller::kCpu, "/x"), "/sys/fs/cgroup/cpu,cpuacct/x");
  EXPECT_EQ(hierarchy.Folder(Controller::kCpuAcct, "/x"), "/sys/fs/cgroup/cpu,cpuacct/x");
}

TEST(Hierarchy, StripsTheHostsPathInAContainerWithoutANamespace) {
  const Hierarchy hierarchy =
      From("42 39 0:31 /docker/ab /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  EXPECT_EQ(hierarchy.Folder(Controller::kMemory, "/docker/ab"), "/sys/fs/cgroup/memory");
  EXPECT_EQ(hierarchy.Folder(Controller::kMemory, "/docker/ab/in"), "/sys/fs/cgroup/memory/in");
  EXPECT_FALSE(hierarchy.Folder(Controller::kMemory, "/docker/abc"));
  EXPECT_FALSE(hierarchy.Folder(Controller::kMemory, "/docker/cd"));
}

TEST(Hierarchy, HasNoFolderOutsideOfItsNamespace) {
  const Hierarchy hierarchy = From("35 25 0:29 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  EXPECT_FALSE(hierarchy.Folder(Controller::kUnified, "/../../system.slice"));
  EXPECT_FALSE(hierarchy.Folder(Controller::kUnified, ""));
}

TEST(Hierarchy, HasNoFolderWhereNothingIsMounted) {
  EXPECT_FALSE(Hierarchy().Folder(Controller::kUnified, "/a"));
}

}  // namespace
}  // namespace gpusight::cgroup
