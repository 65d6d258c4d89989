// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/mountinfo.h"

#include <gtest/gtest.h>

namespace gpusight::cgroup {
namespace {

TEST(ParseMountLine, ReadsALineWithOptionalFields) {
  const auto mount = ParseMountLine(
      "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 propagate_from:2 - ext3 /dev/root "
      "rw,errors=continue");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->id, 36);
  EXPECT_EQ(mount->root, "/mnt1");
  EXPECT_EQ(mount->mount_point, "/mnt2");
  EXPECT_EQ(mount->type, "ext3");
  EXPECT_EQ(mount->source, "/dev/root");
  EXPECT_EQ(mount->options, "rw,errors=continue");
}

TEST(ParseMountLine, ReadsALineWithoutOptionalFields) {
  const auto mount = ParseMountLine("22 27 0:21 / /proc rw,relatime - proc proc rw");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->type, "proc");
}

TEST(ParseMountLine, UndoesTheKernelsEscapes) {
  const auto mount = ParseMountLine(
      "90 31 0:55 /a\\040b /mnt/with\\040space\\011and\\134back\\012slash rw - fuse.sshfs "
      "me@host:/x rw");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->root, "/a b");
  EXPECT_EQ(mount->mount_point, "/mnt/with space\tand\\back\nslash");
}

TEST(ParseMountLine, LeavesAloneWhatIsNoEscape) {
  const auto mount = ParseMountLine("1 2 0:1 / /a\\9\\04 rw - t s\\ o");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->mount_point, "/a\\9\\04");
  EXPECT_EQ(mount->source, "s\\");
}

TEST(ParseMountLine, TakesAnEmptySourceAsTheKernelWritesIt) {
  const auto mount = ParseMountLine("90 31 0:55 / /mnt rw - tmpfs  rw,size=64k");
  ASSERT_TRUE(mount);
  EXPECT_EQ(mount->source, "");
  EXPECT_EQ(mount->options, "rw,size=64k");
}

TEST(ParseMountLine, RefusesWhatIsCut) {
  for (const char* line :
       {"", "36", "36 35 98:0 /mnt1 /mnt2 rw,noatime", "36 35 98:0 / / rw master:1",
        "36 35 98:0 / / rw -", "x 35 98:0 / / rw - a b c"}) {
    EXPECT_FALSE(ParseMountLine(line)) << line;
  }
}

TEST(ParseMountInfo, KeepsTheOrderAndPassesOverBrokenLines) {
  const auto mounts = ParseMountInfo(
      "1 0 0:1 / / rw - ext4 /dev/a rw\nbroken\n2 1 0:2 / /data rw - nfs4 s:/x rw\n");
  ASSERT_EQ(mounts.size(), 2u);
  EXPECT_EQ(mounts[1].mount_point, "/data");
}

TEST(ShmSize, IsThatOfTheLastMount) {
  EXPECT_EQ(ShmSize("34 31 0:28 / /dev/shm rw shared:5 - tmpfs tmpfs rw,size=65536k,inode64\n"),
            65536u * 1024);
  EXPECT_EQ(ShmSize("34 31 0:28 / /dev/shm rw - tmpfs shm rw,size=1k\n"
                    "35 34 0:29 / /dev/shm rw - tmpfs shm rw,size=2k\n"),
            2048u);
  EXPECT_FALSE(ShmSize("34 31 0:28 / /dev/shm rw - tmpfs tmpfs rw,inode64\n"));
  EXPECT_FALSE(ShmSize("34 31 0:28 / /tmp rw - tmpfs tmpfs rw,size=65536k\n"));
}

}  // namespace
}  // namespace gpusight::cgroup
