// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/parse.h"

#include <gmock/gmock.h>

namespace gpusight::doctor {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(DoctorParse, ReadsTheVersionOfBothFlavoursOfTheModule) {
  KernelDriver driver;
  ParseDriverVersion(
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Sat Feb 24 22:53:57 UTC 2024\n"
      "GCC version:  gcc version 11.4.0 (Ubuntu 11.4.0-1ubuntu1~22.04) \n",
      driver);
  EXPECT_EQ(driver.version, "535.161.08");
  EXPECT_FALSE(driver.open_source);
  ParseDriverVersion(
      "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build  "
      "(dvs-builder@U22-I3-AE18-23-3)  Tue Oct 13 02:07:44 UTC 2026\n"
      "GCC version:  gcc version 13.3.0 (Ubuntu 13.3.0-6ubuntu2~24.04) \n",
      driver);
  EXPECT_EQ(driver.version, "580.159.04");
  EXPECT_TRUE(driver.open_source);
}

TEST(DoctorParse, AVersionFileWithoutAVersionGivesNone) {
  for (const char* text : {"", "\n", "NVRM version:", "NVRM version: x86_64\n", "GCC 11.4.0\n"}) {
    KernelDriver driver;
    ParseDriverVersion(text, driver);
    EXPECT_EQ(driver.version, "") << text;
  }
}

TEST(DoctorParse, FindsTheProfilingParameter) {
  EXPECT_EQ(ParseProfilingParameter("EnableMSI: 1\nRmProfilingAdminOnly: 1\nTempFile: \"\"\n"),
            true);
  EXPECT_EQ(ParseProfilingParameter("RmProfilingAdminOnly: 0\n"), false);
  EXPECT_EQ(ParseProfilingParameter("EnableMSI: 1\n"), std::nullopt);
  EXPECT_EQ(ParseProfilingParameter("RmProfilingAdminOnly: yes\n"), std::nullopt);
}

TEST(DoctorParse, TellsModulesByTheirWholeName) {
  const char* modules =
      "nvidia_uvm 4861952 4 - Live 0x0000000000000000 (POE)\n"
      "nvidia_drm 122880 0 - Live 0x0000000000000000 (POE)\n";
  EXPECT_TRUE(HasModule(modules, "nvidia_uvm"));
  EXPECT_FALSE(HasModule(modules, "nvidia"));
}

TEST(DoctorParse, FindsAModuleOnDiskCompressedOrNot) {
  EXPECT_TRUE(NamesNvidiaModule("updates/dkms/nvidia.ko: kernel/drivers/acpi/video.ko\n"));
  EXPECT_TRUE(NamesNvidiaModule("a.ko:\nupdates/dkms/nvidia.ko.zst:\n"));
  EXPECT_FALSE(NamesNvidiaModule("kernel/drivers/video/fbdev/nvidia/nvidiafb.ko.xz:\n"));
  EXPECT_FALSE(NamesNvidiaModule("x.ko: updates/dkms/nvidia.ko\n"));
}

TEST(DoctorParse, TakesVersionsFromLibraryNames) {
  EXPECT_EQ(VersionOfLibrary("libcuda.so.580.159.04", "libcuda.so."), "580.159.04");
  EXPECT_EQ(VersionOfLibrary("libcuda.so.1", "libcuda.so."), std::nullopt);
  EXPECT_EQ(VersionOfLibrary("libcuda.so.580.", "libcuda.so."), std::nullopt);
  EXPECT_EQ(VersionOfLibrary("libcuda.so.580.1-old", "libcuda.so."), std::nullopt);
  EXPECT_EQ(VersionOfLibrary("libcudart.so.13.0", "libcuda.so."), std::nullopt);
}

TEST(DoctorParse, ListsTheVersionsOfASpecification) {
  EXPECT_THAT(VersionsInSpec("cdiVersion: 0.5.0\ncontainerEdits:\n  mounts:\n"
                             "  - containerPath: /usr/lib/libcuda.so.550.54.15\n"
                             "    hostPath: /usr/lib/libcuda.so.550.54.15\n"
                             "  - containerPath: /usr/lib/libnvidia-ml.so.550.54.15\n"
                             "  - containerPath: /usr/lib/libcuda.so.1\n"
                             "kind: nvidia.com/gpu\n"),
              ElementsAre("550.54.15"));
  EXPECT_THAT(VersionsInSpec("libcuda.so.\nlibcuda.so.x"), IsEmpty());
}

TEST(DoctorParse, ReadsLimitsWithTheirWideColumns) {
  const char* limits =
      "Limit                     Soft Limit           Hard Limit           Units     \n"
      "Max open files            1024                 1048576              files     \n"
      "Max locked memory         8388608              8388608              bytes     \n"
      "Max address space         unlimited            unlimited            bytes     \n";
  EXPECT_EQ(ParseLimitLine(limits, "Max open files"), Known<double>(1024));
  EXPECT_EQ(ParseLimitLine(limits, "Max address space"), Known<double>(Absence::kNoLimit));
  EXPECT_EQ(ParseLimitLine(limits, "Max realtime"), Known<double>(Absence::kNotSupported));
  EXPECT_EQ(ParseLimitLine("Max open files -5", "Max open files"),
            Known<double>(Absence::kImplausible));
}

TEST(DoctorParse, ReadsStatusLines) {
  const char* status =
      "Name:\tbash\nUid:\t1000\t1000\t1000\t1000\nCapEff:\t00000000a80425fb\n"
      "Cpus_allowed:\tff\nCpus_allowed_list:\t0-3,8\n";
  EXPECT_EQ(ParseStatusMask(status, "CapEff:"), 0xa80425fbU);
  EXPECT_EQ(ParseStatusNumber(status, "Uid:"), 1000U);
  EXPECT_EQ(ParseCpusAllowed(status), 5);
  EXPECT_EQ(ParseCpusAllowed("Name:\tx\n"), 0);
  EXPECT_EQ(ParseStatusMask(status, "CapBnd:"), std::nullopt);
}

TEST(DoctorParse, ReadsNamespaceLinks) {
  EXPECT_EQ(ParseNamespaceLink("pid:[4026531836]"), kInitialPidNamespace);
  for (const char* bad : {"", "pid", "pid:[", "pid:[]", "pid:[12", "pid:[x]"}) {
    EXPECT_EQ(ParseNamespaceLink(bad), std::nullopt) << bad;
  }
}

TEST(DoctorParse, SplitsAnEnvironmentAtNulBytes) {
  using namespace std::string_literals;
  EXPECT_THAT(ParseEnvironment("A=1\0B=x=y\0C=\0broken\0=D\0"s),
              ElementsAre(Pair("A", "1"), Pair("B", "x=y"), Pair("C", "")));
  EXPECT_THAT(ParseEnvironment(""), IsEmpty());
}

TEST(DoctorParse, FindsXidsInTheKernelsLog) {
  const auto messages = ParseKernelLog(
      "6,338,5140000,-;NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  580.159.04\n"
      "4,901,7301123456,-;NVRM: Xid (PCI:0000:00:06): 31, pid=41822, name=python3, Ch 00000008, "
      "intr 00000000. MMU Fault\n"
      " SUBSYSTEM=pci\n DEVICE=+pci:0000:00:06.0\n"
      "3,902,7302000000,-;NVRM: Xid (PCI:0000:17:00): 79, GPU has fallen off the bus.\n"
      "4,903,1,-;NVRM: Xid (PCI:0000:17:00\n4,904,x,-;NVRM: Xid (PCI:0): 13, y\n;NVRM: Xid (a): "
      "1,\n");
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0].xid, 31);
  EXPECT_EQ(messages[0].bus_id, "0000:00:06");
  EXPECT_DOUBLE_EQ(messages[0].seconds, 7301.123456);
  EXPECT_EQ(messages[1].xid, 79);
}

}  // namespace
}  // namespace gpusight::doctor
