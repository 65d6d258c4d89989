// SPDX-License-Identifier: Apache-2.0
// Which signs make a container and which do not. The mount lines are those of real machines.
#include "cli/doctor/container_signs.h"

#include <gtest/gtest.h>

namespace gpusight::doctor {
namespace {

using E = ContainerEvidence;

TEST(JudgeContainer, AControlGroupOfAContainerIsEnough) {
  ContainerSample sample;
  sample.runtime = "docker";
  sample.id = std::string(64, 'b');
  sample.path = "/system.slice/docker-" + sample.id + ".scope";
  const ContainerVerdict verdict = JudgeContainer({.sample = &sample, .own_namespaces = false});
  EXPECT_TRUE(verdict.in);
  EXPECT_EQ(verdict.name, "docker bbbbbbbbbbbb");
  EXPECT_EQ(verdict.evidence, E::kControlGroup);
  EXPECT_EQ(verdict.detail, sample.path);
}

TEST(JudgeContainer, NothingElseCountsInTheMachinesOwnNamespaces) {
  EXPECT_FALSE(
      JudgeContainer({.mark = "/.dockerenv", .own_namespaces = false, .image_root = true}).in);
  EXPECT_FALSE(JudgeContainer({.variable = "podman", .own_namespaces = false}).in);
  EXPECT_FALSE(JudgeContainer({.pod = true, .own_namespaces = false}).in);
}

TEST(JudgeContainer, DockersMarkNeedsAFileSystemThatDockerMakes) {
  EXPECT_TRUE(
      JudgeContainer({.mark = "/.dockerenv", .own_namespaces = true, .image_root = true}).in);
  // unshare(1) on a machine whose disk was made from an image
  const ContainerVerdict verdict =
      JudgeContainer({.mark = "/.dockerenv", .own_namespaces = true, .image_root = false});
  EXPECT_FALSE(verdict.in);
  EXPECT_EQ(verdict.evidence, E::kMarkLeft);
}

TEST(JudgeContainer, PodmansMarkCountsOnAnyFileSystem) {
  const ContainerVerdict verdict =
      JudgeContainer({.mark = "/run/.containerenv", .own_namespaces = true, .image_root = false});
  EXPECT_TRUE(verdict.in);
  EXPECT_EQ(verdict.name, "podman");
}

TEST(JudgeContainer, AVariableOfAnybodysMakingDoesNotCount) {
  EXPECT_TRUE(JudgeContainer({.variable = "lxc", .own_namespaces = true}).in);
  EXPECT_FALSE(JudgeContainer({.variable = "blue", .own_namespaces = true}).in);
}

TEST(JudgeContainer, SignsCountWhereNamespacesCannotBeRead) {
  EXPECT_TRUE(JudgeContainer({.mark = "/.dockerenv"}).in);
  EXPECT_TRUE(JudgeContainer({.pod = true}).in);
}

TEST(JudgeContainer, SaysWhyNot) {
  EXPECT_EQ(JudgeContainer({.own_namespaces = false}).evidence, E::kNamespaces);
  EXPECT_EQ(JudgeContainer({.own_namespaces = true}).evidence, E::kNothing);
}

TEST(ImageRoot, IsAnOverlayOrAFolderOfARuntime) {
  EXPECT_EQ(ImageRoot("611 586 0:53 / / rw,relatime - overlay overlay rw,lowerdir=/x:/y\n"), true);
  EXPECT_EQ(
      ImageRoot("82 61 0:37 /var/lib/docker/btrfs/subvolumes/4f /  rw - btrfs /dev/sda2 rw\n"),
      true);
  EXPECT_EQ(ImageRoot("82 61 253:4 /rootfs / rw,relatime - xfs /dev/mapper/docker-253:0-1 rw\n"),
            true);
  EXPECT_EQ(ImageRoot("27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"), false);
  EXPECT_EQ(ImageRoot("1 1 0:2 / / rw - rootfs rootfs rw\n27 1 0:53 / / rw - overlay overlay rw\n"),
            true);
  EXPECT_FALSE(ImageRoot("22 27 0:21 / /proc rw,relatime - proc proc rw\n").known());
}

}  // namespace
}  // namespace gpusight::doctor
