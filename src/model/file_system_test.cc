// SPDX-License-Identifier: Apache-2.0
#include "model/file_system.h"

#include <gtest/gtest.h>

namespace gpusight {
namespace {

TEST(FileSystem, KnowsWhatComesOverANetwork) {
  for (const char* type : {"nfs4", "lustre", "ceph", "9p", "cifs", "beegfs", "virtiofs",
                           "fuse.s3fs", "fuse.gcsfuse", "fuse.juicefs", "fuse.sshfs", "fuse"}) {
    EXPECT_TRUE(IsNetworkFileSystem(type)) << type;
  }
}

TEST(FileSystem, KnowsWhatLiesOnThisMachine) {
  for (const char* type : {"ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "fuseblk",
                           "fuse.fuse-overlayfs", "fuse.squashfuse_ll", ""}) {
    EXPECT_FALSE(IsNetworkFileSystem(type)) << type;
  }
}

TEST(FileSystem, KnowsWhatHoldsNoFilesOfUsers) {
  EXPECT_TRUE(IsPseudoFileSystem("proc"));
  EXPECT_TRUE(IsPseudoFileSystem("cgroup2"));
  EXPECT_FALSE(IsPseudoFileSystem("tmpfs"));
  EXPECT_FALSE(IsPseudoFileSystem("nfs"));
}

}  // namespace
}  // namespace gpusight
