// SPDX-License-Identifier: Apache-2.0
#include "probe/cgroup/inside.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "probe/cgroup/names.h"

namespace gpusight::cgroup {
namespace {

namespace fs = std::filesystem;

// A machine whose process 7 is in a container, with a secret of the host beside it.
class InsideTest : public testing::Test {
 protected:
  void SetUp() override {
    machine_ =
        fs::path(testing::TempDir()) /
        (std::string("inside_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(machine_);
    inside_ = machine_ / "proc/7/root";
    fs::create_directories(inside_ / "etc");
    fs::create_directories(machine_ / "etc");
    std::ofstream(machine_ / "etc/secret") << "of-the-host\n";
    root_ = Root(machine_);
  }
  void TearDown() override { fs::remove_all(machine_); }

  int Read(const char* path) { return ReadInside(root_, "7", path, 4096, text_); }
  ContainerSample Names() const {
    Identity identity;
    identity.pod_uid = "0f0e0d0c-1111-4222-8333-444455556666";
    ContainerSample sample;
    FindNames(root_, "7", identity, sample);
    return sample;
  }

  fs::path machine_, inside_;
  Root root_;
  std::string text_;
};

TEST_F(InsideTest, AFileIsRead) {
  std::ofstream(inside_ / "etc/hostname") << "trainer-0\n";
  EXPECT_EQ(Read("/etc/hostname"), 0);
  EXPECT_EQ(text_, "trainer-0\n");
  EXPECT_EQ(Names().pod_name, "trainer-0");
}

TEST_F(InsideTest, AnAbsoluteLinkMeansAFileOfTheContainer) {
  fs::create_symlink("/etc/secret", inside_ / "etc/hostname");
  EXPECT_EQ(Read("/etc/hostname"), ENOENT);
  std::ofstream(inside_ / "etc/secret") << "of-the-container\n";
  EXPECT_EQ(Read("/etc/hostname"), 0);
  EXPECT_EQ(text_, "of-the-container\n");
}

TEST_F(InsideTest, ALinkToAFileOfOursShowsNothing) {
  std::ofstream(machine_ / "host-file") << "leaked\n";
  fs::create_symlink((machine_ / "host-file").string(), inside_ / "etc/hostname");
  EXPECT_EQ(Names().pod_name, "");
}

TEST_F(InsideTest, ALinkUpwardsStaysInside) {
  fs::create_symlink("../../../../etc/secret", inside_ / "etc/hostname");
  EXPECT_EQ(Read("/etc/hostname"), ENOENT);
}

TEST_F(InsideTest, ALinkedFolderStaysInside) {
  fs::create_symlink("/var/run-elsewhere", inside_ / "run");
  std::ofstream(machine_ / "proc/7/secret") << "x";
  fs::create_symlink("/..", inside_ / "up");
  EXPECT_EQ(Read("/up/etc/secret"), ENOENT);
}

TEST_F(InsideTest, ALinkedRootOfARecordedMachineStaysInTheRecording) {
  fs::remove_all(inside_);
  fs::create_symlink("/", inside_);
  EXPECT_EQ(Read("/etc/secret"), 0);
  EXPECT_EQ(text_, "of-the-host\n") << "of the recorded one";
  EXPECT_EQ(Read("/etc/passwd"), ENOENT);
}

TEST_F(InsideTest, APipeIsNotOpened) {
  ASSERT_EQ(mkfifo((inside_ / "etc/hostname").c_str(), 0600), 0);
  EXPECT_EQ(Read("/etc/hostname"), ESPIPE);
  EXPECT_EQ(Names().pod_name, "");
}

TEST_F(InsideTest, AFolderIsNoFile) { EXPECT_EQ(Read("/etc"), ESPIPE); }

TEST_F(InsideTest, AFileWithoutEndIsRefused) {
  std::ofstream(inside_ / "etc/hostname") << std::string(5000, 'a');
  EXPECT_EQ(Read("/etc/hostname"), EFBIG);
}

TEST_F(InsideTest, WhatIsNoNameIsNotShown) {
  for (const char* text : {"root:x:0:0:root:/root:/bin/bash", "two words", "-begin", "end-",
                           "UPPER", "a..b", ".a", "a\nb", "\x1b[31mred"}) {
    std::ofstream(inside_ / "etc/hostname") << text << '\n';
    EXPECT_EQ(Names().pod_name, "") << text;
  }
  std::ofstream(inside_ / "etc/hostname") << std::string(64, 'a');
  EXPECT_EQ(Names().pod_name, "") << "a label has 63 characters at most";
  std::ofstream(inside_ / "etc/hostname") << "ip-10-0-0-1.ec2.internal";
  EXPECT_EQ(Names().pod_name, "ip-10-0-0-1.ec2.internal");
}

TEST_F(InsideTest, ANamespaceIsOneLabel) {
  const fs::path folder = inside_ / "var/run/secrets/kubernetes.io/serviceaccount";
  fs::create_directories(folder);
  std::ofstream(folder / "namespace") << "team.a";
  EXPECT_EQ(Names().pod_namespace, "");
  std::ofstream(folder / "namespace") << "team-a";
  EXPECT_EQ(Names().pod_namespace, "team-a");
}

// As Kubernetes mounts it: ..data -> a folder with the time in its name.
TEST_F(InsideTest, TheUsualLinksOfAServiceAccountWork) {
  const fs::path folder = inside_ / "run/secrets/kubernetes.io/serviceaccount";
  fs::create_directories(folder / "..2026_11_30");
  fs::create_directories(inside_ / "var");
  fs::create_symlink("/run", inside_ / "var/run");
  std::ofstream(folder / "..2026_11_30/namespace") << "team-a";
  fs::create_symlink("..2026_11_30", folder / "..data");
  fs::create_symlink("..data/namespace", folder / "namespace");
  EXPECT_EQ(Names().pod_namespace, "team-a");
}

TEST_F(InsideTest, AMarkIsFoundOnlyInside) {
  std::ofstream(machine_ / ".dockerenv");
  EXPECT_EQ(FindInside(root_, "7", "/.dockerenv"), ENOENT);
  std::ofstream(inside_ / ".dockerenv");
  EXPECT_EQ(FindInside(root_, "7", "/.dockerenv"), 0);
}

TEST_F(InsideTest, TheSpaceBehindALinkThatLeadsOutIsNotTold) {
  Space space;
  fs::create_directories(inside_ / "dev");
  fs::create_symlink("/proc/7", inside_ / "dev/shm");  // a folder, but of the host
  EXPECT_EQ(SpaceInside(root_, "7", "/dev/shm", space), ENOENT);
  fs::remove(inside_ / "dev/shm");
  fs::create_directories(inside_ / "dev/shm");
  EXPECT_EQ(SpaceInside(root_, "7", "/dev/shm", space), 0);
  EXPECT_GT(space.total, 0);
}

TEST(Inside, TheLiveMachineIsReadToo) {
  const std::string self = std::to_string(getpid());
  std::string text;
  const int error = ReadInside(Root(), self, "/etc/passwd", size_t{1} << 20, text);
  if (error == ENOSYS || error == EPERM) GTEST_SKIP() << "no openat2(2) here";
  EXPECT_EQ(error, 0);
  EXPECT_FALSE(text.empty());
  Space space;
  EXPECT_EQ(SpaceInside(Root(), self, "/", space), 0);
  EXPECT_EQ(SpaceInside(Root(), "self", "/", space), 0);
}

}  // namespace
}  // namespace gpusight::cgroup
