// SPDX-License-Identifier: Apache-2.0
#include "probe/host/proc_stat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gpusight::host {
namespace {

// Of a kernel 5.15: a PyTorch job with 63 threads.
constexpr std::string_view kTrainer =
    "41210 (python3) R 41102 41102 38711 34816 41102 4194304 9482711 0 4127 0 812345 94021 0 0 20 "
    "0 "
    "63 0 8812345 64424509440 1572864 18446744073709551615 4194304 7023617 140729385943184 0 0 0 0 "
    "16781312 17642 0 0 0 17 5 0 0 318 0 0 9125296 9416808 36270080 140729385948711 "
    "140729385948740 "
    "140729385948740 140729385951199 0\n";

TEST(ParseProcStat, ReadsTheFieldsByTheirPlace) {
  const auto stat = ParseProcStat(kTrainer);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->pid, 41210);
  EXPECT_EQ(stat->comm, "python3");
  EXPECT_EQ(stat->state, 'R');
  EXPECT_EQ(stat->parent, 41102);
  EXPECT_EQ(stat->minor_faults, 9482711u);
  EXPECT_EQ(stat->major_faults, 4127u);
  EXPECT_EQ(stat->user_ticks, 812345u);
  EXPECT_EQ(stat->system_ticks, 94021u);
  EXPECT_EQ(stat->threads, 63);
  EXPECT_EQ(stat->start_ticks, 8812345u);
  EXPECT_EQ(stat->resident_pages, 1572864u);
  EXPECT_EQ(stat->exit_signal, 17);
  EXPECT_EQ(stat->block_io_ticks, 318u);
}

TEST(ParseProcStat, TakesAnyNameBetweenTheFirstAndTheLastParenthesis) {
  const std::string rest(kTrainer.substr(kTrainer.find(')')));
  for (const char* name : {"a) R (b", "))((", "", "  ", "sh -c (x) 1", "new\nline", "7 (x) Z 1"}) {
    const std::string text = "41210 (" + std::string(name) + rest;
    const auto stat = ParseProcStat(text);
    ASSERT_TRUE(stat) << name;
    EXPECT_EQ(stat->comm, name);
    EXPECT_EQ(stat->parent, 41102) << name;
  }
}

TEST(ParseProcStat, TakesAMomentarilyNegativeResidentSizeForZero) {
  std::string text(kTrainer);
  text.replace(text.find("1572864"), 7, "-3");
  const auto stat = ParseProcStat(text);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->resident_pages, 0u);
}

TEST(ParseProcStat, RefusesWhatIsCutOrGarbled) {
  EXPECT_FALSE(ParseProcStat(""));
  EXPECT_FALSE(ParseProcStat("41210 (python3"));
  EXPECT_FALSE(ParseProcStat("41210 python3) R 1"));
  EXPECT_FALSE(ParseProcStat(") 1 ("));
  EXPECT_FALSE(ParseProcStat("x (python3) R 1 2 3"));
  EXPECT_FALSE(ParseProcStat(kTrainer.substr(0, 200)));
  std::string text(kTrainer);
  text.replace(text.find("812345"), 6, "8l2345");
  EXPECT_FALSE(ParseProcStat(text));
}

TEST(ParseProcStatus, ReadsUserMemoryAndNamespaces) {
  const auto status = ParseProcStatus(
      "Name:\tpython3\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t41210\nNgid:\t0\nPid:\t41210\n"
      "PPid:\t41102\nTracerPid:\t0\nUid:\t1001\t1002\t1003\t1001\nGid:\t1001\t1001\t1001\t1001\n"
      "NStgid:\t41210\t17\t1\nNSpid:\t41210\t17\t1\nNSpgid:\t41210\t17\t1\n"
      "VmPeak:\t 62914560 kB\nVmRSS:\t 6291456 kB\nRssAnon:\t 5242880 kB\nRssFile:\t  524288 kB\n"
      "RssShmem:\t  524288 kB\nVmSwap:\t      12 kB\nThreads:\t63\n"
      "voluntary_ctxt_switches:\t15021\nnonvoluntary_ctxt_switches:\t311\n");
  ASSERT_TRUE(status);
  EXPECT_EQ(status->real_uid, 1001u);
  EXPECT_EQ(status->saved_uid, 1003u);
  EXPECT_EQ(status->resident_bytes, 6442450944u);
  EXPECT_EQ(status->anonymous_bytes, 5368709120u);
  EXPECT_EQ(status->shared_bytes, 536870912u);
  EXPECT_EQ(status->swapped_bytes, 12288u);
  EXPECT_EQ(status->voluntary_switches, 15021u);
  EXPECT_EQ(status->involuntary_switches, 311u);
  EXPECT_THAT(status->namespace_pids(), testing::ElementsAre(41210, 17, 1));
}

TEST(ParseProcStatus, LeavesOpenWhatAKernelThreadLacks) {
  const auto status = ParseProcStatus(
      "Name:\tkthreadd\nState:\tS (sleeping)\nPid:\t2\nPPid:\t0\nUid:\t0\t0\t0\t0\nThreads:\t1\n");
  ASSERT_TRUE(status);
  EXPECT_FALSE(status->resident_bytes);
  EXPECT_FALSE(status->voluntary_switches);
  EXPECT_TRUE(status->namespace_pids().empty());
}

TEST(ParseProcStatus, IsNotFooledByAName) {
  // The kernel writes a newline in a name as \n, so a name cannot make a line of its own.
  const auto status = ParseProcStatus("Name:\tx\\nUid: 0 0 0 0\nUid:\t1001\t1001\t1001\t1001\n");
  ASSERT_TRUE(status);
  EXPECT_EQ(status->real_uid, 1001u);
}

TEST(ParseProcStatus, RefusesATextWithoutAUser) {
  EXPECT_FALSE(ParseProcStatus(""));
  EXPECT_FALSE(ParseProcStatus("Name:\tx\nUid:\t1001\n"));
}

TEST(ParseProcStatm, ReadsResidentAndShared) {
  const auto statm = ParseProcStatm("27043 784 416 5 0 270 0\n");
  ASSERT_TRUE(statm);
  EXPECT_EQ(statm->resident_pages, 784u);
  EXPECT_EQ(statm->shared_pages, 416u);
  for (const char* text : {"", "1", "1 2", "1 x 3", "1 2 -3"}) {
    EXPECT_FALSE(ParseProcStatm(text)) << text;
  }
}

TEST(ParseProcIo, SubtractsWhatWasTakenBackBeforeItWasWritten) {
  const auto io = ParseProcIo(
      "rchar: 323934931\nwchar: 323929600\nsyscr: 632687\nsyscw: 632675\nread_bytes: 4096\n"
      "write_bytes: 323932160\ncancelled_write_bytes: 1048576\n");
  ASSERT_TRUE(io);
  EXPECT_EQ(io->call_read_bytes, 323934931u);
  EXPECT_EQ(io->read_calls, 632687u);
  EXPECT_EQ(io->read_bytes, 4096u);
  EXPECT_EQ(io->written_bytes, 323932160u - 1048576u);
}

TEST(ParseProcIo, NeverGoesBelowZero) {
  const auto io = ParseProcIo(
      "rchar: 1\nwchar: 1\nsyscr: 1\nsyscw: 1\nread_bytes: 0\nwrite_bytes: 4096\n"
      "cancelled_write_bytes: 8192\n");
  ASSERT_TRUE(io);
  EXPECT_EQ(io->written_bytes, 0u);
}

TEST(ParseProcIo, RefusesAnIncompleteText) {
  EXPECT_FALSE(ParseProcIo(""));
  EXPECT_FALSE(ParseProcIo("rchar: 1\nwchar: 2\n"));
}

}  // namespace
}  // namespace gpusight::host
