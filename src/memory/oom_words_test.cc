// SPDX-License-Identifier: Apache-2.0
// Sentences with numbers that add up, and what to try.
#include "memory/oom_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/text.h"
#include "memory/oom_advice.h"
#include "memory/oom_groups.h"
#include "memory/test_scan.h"

namespace gpusight::memory {
namespace {

using testing::HasSubstr;

constexpr double kGiB = 1073741824;

int64_t Hundredths(const std::string& number) {
  std::string digits;
  for (const char c : number) {
    if (c != '.') digits += c;
  }
  return *ParseNumber<int64_t>(digits);
}

OomFacts RandomFacts(std::mt19937& random) {
  const auto share = [&random](double of) {
    return of * static_cast<double>(random() % 9973) / 9973;
  };
  OomFacts f;
  f.framework = Framework::kPyTorch;
  f.capacity = 8 * kGiB + share(136 * kGiB);
  double left = *f.capacity;
  const auto take = [&] {
    const double part = share(left);
    left -= part;
    return part;
  };
  f.free = take() / 20;
  f.allocated = take();
  f.cached = take();
  f.reserved = *f.allocated + *f.cached;
  f.process = *f.reserved + take();
  f.others = take();
  f.requested = share(*f.capacity);
  return f;
}

TEST(AccountTable, AddsUpAsItIsPrinted) {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    const OomFacts facts = RandomFacts(random);
    const AccountTable table = TableOf(facts, Judge(facts), Language::kEnglish);
    ASSERT_FALSE(table.parts.empty());
    int64_t sum = 0, free = 0;
    for (const auto& row : table.parts) {
      sum += Hundredths(row.number);
      if (row.label == "free") free = Hundredths(row.number);
    }
    ASSERT_EQ(sum, Hundredths(table.total.number));
    ASSERT_NEAR(static_cast<double>(sum) / 100, *facts.capacity / kGiB, 0.0051);
    if (table.request.size() < 2) continue;
    ASSERT_EQ(Hundredths(table.request[0].number) - free, Hundredths(table.request[1].number));
  }
}

TEST(Sentence, HasTheNumbersOfTheTable) {
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) {
    const OomFacts facts = RandomFacts(random);
    const OomVerdict v = Judge(facts);
    if (v.cause != OomClass::kOutside) continue;
    const AccountTable table = TableOf(facts, v, Language::kEnglish);
    ASSERT_THAT(SentenceOf(facts, v, Language::kEnglish), HasSubstr(table.parts[2].number));
  }
}

std::string Explain(std::string_view log, Language language = Language::kEnglish) {
  const OomScan scan = Scan(log);
  const auto groups = GroupTexts(scan.texts);
  if (groups.empty()) return "";
  return SentenceOf(groups[0].facts, groups[0].verdict, language);
}

constexpr std::string_view kPieces =
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 3 has a total "
    "capacity of 79.15 GiB of which 1.66 GiB is free. Of the allocated memory 62.09 GiB is "
    "allocated "
    "by PyTorch, and 14.84 GiB is reserved by PyTorch but unallocated.\n";

TEST(Sentence, ReadsWell) {
  EXPECT_EQ(Explain(kPieces),
            "PyTorch asked for 3.00 GiB on GPU 3, where 1.66 GiB was free. 14.84 GiB more is free "
            "inside PyTorch's cache, but in pieces, none of them large enough.");
  EXPECT_EQ(Explain(kPieces, Language::kChinese),
            "PyTorch 在 GPU 3 上申请 3.00 GiB，当时空闲 1.66 GiB。PyTorch 的缓存中另有 14.84 GiB "
            "空闲，但都是碎块，没有一块足够大。");
  EXPECT_EQ(
      Explain("node1:2:2 [2] NCCL WARN Failed to CUDA calloc 536870912 bytes\n"),
      "NCCL asked for 512.00 MiB on GPU 2 and got none. NCCL takes its memory from the driver, "
      "not from a framework's cache, and the driver had none left.");
  EXPECT_THAT(Explain("Out of memory: Killed process 8 (pyth\x1b[31mon) total-vm:1kB, "
                      "anon-rss:1048576kB, file-rss:0kB, shmem-rss:0kB\n"),
              HasSubstr("ended process 8 (python), which held 1.00 GiB"));
}

TEST(Sentence, IsThereForEveryForm) {
  for (const std::string_view log :
       {"MemoryError\n", "Killed\n", "OOMKilled\n", "srun: error: n1: task 0: Out Of Memory\n",
        "ResourceExhaustedError: failed to allocate memory [Op:AddV2]\n",
        "RuntimeError: CUDA error: out of memory\n", "RuntimeError: CUDA out of memory.\n",
        "RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 20.27G of 15.48G hbm.\n",
        "failed to allocate 23.68G (25426067456 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY\n",
        "RuntimeError: MPS backend out of memory (MPS allocated: 7.64 GiB, other allocations: 1.50 "
        "GiB, max allowed: 9.07 GiB). Tried to allocate 256.00 MiB on private pool.\n",
        "RuntimeError: Invalid buffer size: 20.25 GiB\n",
        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 72.8 TiB for an array\n",
        "NCCL WARN Error: failed to extend /dev/shm/nccl-A to 9637892 bytes\n"}) {
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      const std::string sentence = Explain(log, language);
      EXPECT_GT(sentence.size(), 20u) << log;
      EXPECT_EQ(sentence.find('{'), std::string::npos) << sentence;
    }
  }
}

std::vector<std::string> CodeFor(std::string_view log) {
  const OomScan scan = Scan(log);
  const auto groups = GroupTexts(scan.texts);
  std::vector<std::string> out;
  for (const Advice& advice :
       AdviceFor(groups[0].facts, groups[0].verdict, scan.settings, Language::kEnglish)) {
    out.push_back(advice.code);
  }
  return out;
}

TEST(Advice, IsInTheWordsOfBothFrameworks) {
  const auto code = CodeFor(kPieces);
  ASSERT_FALSE(code.empty());
  EXPECT_EQ(code[0], "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True");
  EXPECT_THAT(code, testing::Contains("export FLAGS_use_virtual_memory_auto_growth=true"));
}

TEST(Advice, DoesNotProposeWhatTheLogSetsAlready) {
  const auto code =
      CodeFor("PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n" + std::string(kPieces));
  EXPECT_THAT(
      code,
      testing::Not(testing::Contains("export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True")));
}

TEST(Advice, IsOfTheBackend) {
  std::string hip(kPieces);
  hip.replace(hip.find("CUDA out"), 4, "HIP");
  EXPECT_EQ(CodeFor(hip)[0], "export PYTORCH_HIP_ALLOC_CONF=expandable_segments:True");
}

TEST(Advice, AgainstAWrongSizeIsToLookAtIt) {
  const auto code =
      CodeFor("RuntimeError: CUDA out of memory. Tried to allocate more than 1EB memory.\n");
  ASSERT_EQ(code.size(), 1u);
  EXPECT_THAT(code[0], HasSubstr("shape"));
}

TEST(Groups, JoinRanksThatFailAlikeAndSetKillsApart) {
  const OomScan scan =
      Scan("[rank0]: " + std::string(kPieces) +
           "[rank1]: torch.OutOfMemoryError: CUDA "
           "out of memory. Tried to allocate 3.00 GiB. GPU 1 has a total capacity of "
           "79.15 GiB of which 1.50 GiB is free. Of the allocated memory 61.00 GiB is "
           "allocated by PyTorch, and 15.00 GiB is reserved by PyTorch but "
           "unallocated.\n"
           "  traceback : Signal 9 (SIGKILL) received by PID 812\n");
  const auto groups = GroupTexts(scan.texts);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].members.size(), 2u);
  EXPECT_FALSE(groups[0].consequence);
  EXPECT_TRUE(groups[1].consequence);
  EXPECT_EQ(SingleTexts(scan.texts).size(), 3u);
  const auto before = GroupTexts(Scan("Killed\n" + std::string(kPieces)).texts);
  ASSERT_EQ(before.size(), 2u);
  EXPECT_FALSE(before[0].consequence || before[1].consequence) << "it was killed before";
}

}  // namespace
}  // namespace gpusight::memory
