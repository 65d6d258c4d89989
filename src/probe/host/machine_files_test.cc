// SPDX-License-Identifier: Apache-2.0
#include "probe/host/machine_files.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "probe/host/machine.h"

namespace gpusight::host {
namespace {

constexpr uint64_t kKiB = 1024;

TEST(ParseSystemStat, SumsWhatIsBusyAndCountsCpus) {
  const auto stat = ParseSystemStat(
      "cpu  6714 1 2762 205957 344 2 49 16 5 0\ncpu0 2443 0 1155 104270 22 0 8 5 0 0\n"
      "cpu1 4271 0 1606 101686 322 0 40 11 0 0\nintr 1234 5 6\nctxt 991\nbtime 1774000000\n"
      "processes 51\nprocs_running 2\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->busy_ticks, 6714u + 1 + 2762 + 2 + 49 + 16);
  EXPECT_EQ(stat->iowait_ticks, 344u);
  EXPECT_EQ(stat->cpus, 2);
  EXPECT_EQ(stat->boot_time, 1774000000u);
}

TEST(ParseSystemStat, TakesTheShortLineOfAnOldKernel) {
  const auto stat = ParseSystemStat("cpu 10 20 30 40\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->busy_ticks, 60u);
  EXPECT_EQ(stat->boot_time, 0u);
}

TEST(ParseSystemStat, RefusesATextWithoutTheSum) {
  EXPECT_FALSE(ParseSystemStat(""));
  EXPECT_FALSE(ParseSystemStat("cpu0 1 2 3 4\n"));
  EXPECT_FALSE(ParseSystemStat("cpu 1 2 x 4\n"));
  EXPECT_FALSE(ParseSystemStat("cpu 1 2\n"));
}

TEST(ParseMemoryInfo, ReadsKilobytes) {
  const auto info = ParseMemoryInfo(
      "MemTotal:       24684084 kB\nMemFree:        24419980 kB\nMemAvailable:   24363556 kB\n"
      "SwapTotal:       8388604 kB\nSwapFree:        8126460 kB\nShmem:              1000 kB\n"
      "HugePages_Total:       4\n");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->total, 24684084 * kKiB);
  EXPECT_EQ(info->available, 24363556 * kKiB);
  EXPECT_EQ(info->swap_total - info->swap_free, 262144 * kKiB);
  EXPECT_EQ(info->shared, 1000 * kKiB);
}

TEST(ParseMemoryInfo, EstimatesWhatIsAvailableOnOldKernels) {
  const auto info =
      ParseMemoryInfo("MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 200 kB\n");
  ASSERT_TRUE(info);
  EXPECT_EQ(info->available, 350 * kKiB);
}

TEST(ParseMemoryInfo, RefusesATextWithoutATotal) {
  EXPECT_FALSE(ParseMemoryInfo(""));
  EXPECT_FALSE(ParseMemoryInfo("MemTotal: much kB\n"));
}

TEST(ParseLoadAverage, ReadsTheLoadAndTheLastPid) {
  const auto load = ParseLoadAverage("4.21 3.90 3.55 5/812 41933\n");
  ASSERT_TRUE(load);
  EXPECT_DOUBLE_EQ(load->one_minute, 4.21);
  EXPECT_EQ(load->last_pid, 41933);
}

TEST(ParseLoadAverage, RefusesNonsense) {
  for (const char* text : {"", "x", "-1 0 0 1/2 3", "nan 0 0 1/2 3"}) {
    EXPECT_FALSE(ParseLoadAverage(text)) << text;
  }
}

TEST(ParseUptime, ReadsTheFirstNumber) {
  EXPECT_DOUBLE_EQ(*ParseUptime("912345.67 7123456.78\n"), 912345.67);
  EXPECT_FALSE(ParseUptime(""));
  EXPECT_FALSE(ParseUptime("-5 1\n"));
}

TEST(ParseDiskLine, ReadsEveryKernelsForm) {
  for (const char* line :
       {"   8       0 sda 1234 5 81234 512 10 20 4096 40 0 480 512",                   // 2.6
        " 259 0 sda 1234 5 81234 512 10 20 4096 40 0 480 512 0 0 0 0",                 // 4.18
        " 259 0 sda 1234 5 81234 512 10 20 4096 40 0 480 512 0 0 0 0 81234 12345"}) {  // 5.5
    const auto disk = ParseDiskLine(line);
    ASSERT_TRUE(disk) << line;
    EXPECT_EQ(disk->name, "sda");
    EXPECT_EQ(disk->read_bytes, 81234u * 512);
    EXPECT_EQ(disk->written_bytes, 4096u * 512);
    EXPECT_EQ(disk->busy_ms, 480u);
  }
  EXPECT_FALSE(ParseDiskLine(""));
  EXPECT_FALSE(ParseDiskLine("   8       0 sda 1234 5 81234"));
}

TEST(IsWholeDisk, CountsEachByteOnce) {
  struct {
    const char* name;
    const char* before;
    bool whole;
  } const cases[] = {
      {"sda", "", true},
      {"sda1", "sda", false},
      {"sda12", "sda", false},
      {"sdaa", "sda", true},
      {"sdb", "sda", true},
      {"nvme0n1", "", true},
      {"nvme0n1p1", "nvme0n1", false},
      {"nvme0n12", "nvme0n1", true},
      {"nvme1n1", "nvme0n1", true},
      {"nvme0c1n1", "", false},
      {"vda", "", true},
      {"vda1", "vda", false},
      {"xvda1", "", true},
      {"mmcblk0", "", true},
      {"mmcblk0p1", "mmcblk0", false},
      {"mmcblk0boot0", "mmcblk0", false},
      {"loop0", "", false},
      {"ram0", "", false},
      {"zram0", "", false},
      {"dm-0", "", false},
      {"md127", "", false},
      {"sr0", "", false},
      {"fd0", "", false},
      {"rbd0", "", true},
      {"nbd0", "", true},
      {"nullb0", "", false},
      {"mdraid", "", true},
  };
  for (const auto& row : cases) {
    EXPECT_EQ(IsWholeDisk(row.name, row.before), row.whole) << row.name << " after " << row.before;
  }
}

TEST(ParseNetworkLine, ReadsReceivedAndSent) {
  const auto line = ParseNetworkLine(
      "  eth0: 106844851    2286    0    0    0     0          0         0   122777    1253    0   "
      " "
      "0    0     0       0          0");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->name, "eth0");
  EXPECT_EQ(line->received_bytes, 106844851u);
  EXPECT_EQ(line->sent_bytes, 122777u);
}

TEST(ParseNetworkLine, TakesANumberThatTouchesTheColon) {
  const auto line = ParseNetworkLine("enp1s0f0:812345678901 7 0 0 0 0 0 0 41 3 0 0 0 0 0 0");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->name, "enp1s0f0");
  EXPECT_EQ(line->received_bytes, 812345678901u);
  const auto alias = ParseNetworkLine("eth0:1: 5 7 0 0 0 0 0 0 41 3 0 0 0 0 0 0");
  ASSERT_TRUE(alias);
  EXPECT_EQ(alias->name, "eth0:1");
}

TEST(ParseNetworkLine, PassesOverTheHead) {
  EXPECT_FALSE(ParseNetworkLine("Inter-|   Receive       |  Transmit"));
  EXPECT_FALSE(ParseNetworkLine(
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets"));
  EXPECT_FALSE(ParseNetworkLine("eth0: 1 2 3"));
  EXPECT_FALSE(ParseNetworkLine(""));
}

TEST(SysfsPciId, ShortensTheDomain) {
  EXPECT_EQ(SysfsPciId("00000000:1B:00.0"), "0000:1b:00.0");
  EXPECT_EQ(SysfsPciId("00010000:00:00.0"), "10000:00:00.0");
  EXPECT_EQ(SysfsPciId("0000:3b:00.0"), "0000:3b:00.0");
  EXPECT_EQ(SysfsPciId("E12F0001:00:00.0"), "e12f0001:00:00.0");
  EXPECT_EQ(SysfsPciId(""), "");
}

}  // namespace
}  // namespace gpusight::host
