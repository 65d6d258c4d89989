// SPDX-License-Identifier: Apache-2.0
// Whole logs: ranks, colours, progress bars, endless lines, binary, and what stands around a
// message.
#include "memory/oom_scanner.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "memory/test_scan.h"

namespace gpusight::memory {
namespace {

constexpr double kGiB = 1073741824;

std::string Torch(int device, double requested, double allocated = 70) {
  return fmt::format(
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {:.2f} GiB. GPU {} has a "
      "total "
      "capacity of 79.15 GiB of which 1.08 GiB is free. Including non-PyTorch memory, this process "
      "has 78.00 GiB memory in use. Of the allocated memory {:.2f} GiB is allocated by PyTorch, "
      "and "
      "2.00 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is "
      "large "
      "try setting PYTORCH_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See "
      "documentation for Memory Management  "
      "(https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)",
      requested, device, allocated);
}

constexpr std::string_view kTrace =
    "Traceback (most recent call last):\n"
    "  File \"/job/train.py\", line 210, in <module>\n"
    "    main()\n"
    "  File \"/job/train.py\", line 140, in training_step\n"
    "    loss.backward()\n"
    "  File \"/usr/lib/python3/dist-packages/torch/_tensor.py\", line 521, in backward\n"
    "    torch.autograd.backward(\n"
    "    ^^^^^^^^^^^^^^^^^^^^^^^\n";

TEST(OomScanner, FindsNothingInAnOrdinaryLog) {
  const OomScan scan = Scan(
      "epoch 1 step 10 loss 0.3 memory 12345 MB allocated\n"
      "saving checkpoint, memory freed\nkilled time: 3\nretry: not out of memory yet\n");
  EXPECT_TRUE(scan.texts.empty());
  EXPECT_EQ(scan.lines, 4u);
}

TEST(OomScanner, TakesNoticeOfTracebackStepAndEpoch) {
  const OomText text = ScanOne("Epoch [3/10] step 1240/5000 loss 0.31\n" + std::string(kTrace) +
                               Torch(0, 1.96) + "\n");
  ASSERT_EQ(text.trace.size(), 3u);
  EXPECT_EQ(OwnLine(text.trace)->file, "/job/train.py");
  EXPECT_EQ(OwnLine(text.trace)->line, 140u);
  EXPECT_EQ(text.step, 1240u);
  EXPECT_EQ(text.epoch, 3u);
  EXPECT_EQ(text.phase, OomPhase::kTraining);
  EXPECT_TRUE(text.backward);
  EXPECT_EQ(text.first_line, 10u);
  EXPECT_EQ(text.after, OomAfter::kEnded);
  EXPECT_TRUE(text.excerpt.starts_with("torch.OutOfMemoryError: CUDA out of memory. Tried"));
}

TEST(OomScanner, KnowsEvaluationByItsFunctionsAndWhetherGradientsWereOff) {
  const std::string trace =
      "Traceback (most recent call last):\n"
      "  File \"/job/train.py\", line 200, in validate\n    logits = model(x)\n";
  EXPECT_EQ(ScanOne(trace + Torch(0, 2)).phase, OomPhase::kEvaluation);
  EXPECT_FALSE(ScanOne(trace + Torch(0, 2)).no_grad);
  const std::string decorated =
      "Traceback (most recent call last):\n"
      "  File \"/usr/lib/python3/site-packages/torch/utils/_contextlib.py\", line 116, in "
      "decorate_context\n"
      "  File \"/job/train.py\", line 200, in evaluate\n    logits = model(x)\n";
  EXPECT_TRUE(ScanOne(decorated + Torch(0, 2)).no_grad);
}

TEST(OomScanner, KnowsThatTheProgramWentOn) {
  const OomText text = ScanOne("step 7 loss 0.2\n" + std::string(kTrace) + Torch(0, 1.96) +
                               "\nskipping the batch\nstep 8 loss 0.2\n");
  EXPECT_EQ(text.after, OomAfter::kWentOn);
  const OomText again = ScanOne("step 7 loss 0.2\n" + std::string(kTrace) + Torch(0, 1.96) +
                                "\nresuming from step 5\nstep 6 loss 0.2\n");
  EXPECT_EQ(again.after, OomAfter::kEnded) << "an earlier step is another run";
  EXPECT_EQ(ScanOne(Torch(0, 1.96) + "\n").after, OomAfter::kUnknown);
}

TEST(OomScanner, TellsRanksApart) {
  const OomScan scan = Scan(
      "[rank0]: step 5\n[rank3]: step 5\n"
      "[rank3]: Traceback (most recent call last):\n"
      "[rank0]: Traceback (most recent call last):\n"
      "[rank3]:   File \"/job/a.py\", line 3, in train\n"
      "[rank0]:   File \"/job/b.py\", line 4, in train\n"
      "[rank3]: " +
      Torch(3, 2) + "\n[rank0]: " + Torch(0, 3) + "\n");
  ASSERT_EQ(scan.texts.size(), 2u);
  EXPECT_EQ(scan.texts[0].rank, 3);
  EXPECT_EQ(scan.texts[0].trace.at(0).file, "/job/a.py");
  EXPECT_EQ(scan.texts[1].rank, 0);
  EXPECT_EQ(scan.texts[1].trace.at(0).file, "/job/b.py");
}

TEST(OomScanner, KnowsTheLabelsOfLaunchers) {
  EXPECT_EQ(ScanOne("[1,3]<stderr>:" + Torch(3, 2) + "\n").rank, 3);
  EXPECT_EQ(ScanOne("[default7]:[rank7]: " + Torch(7, 2) + "\n").rank, 7);
  EXPECT_EQ(ScanOne("12: " + Torch(4, 2) + "\n").rank, 12);
  EXPECT_EQ(ScanOne("2026-01-02 03:04 [Rank 5] ERROR " + Torch(5, 2) + "\n").rank, 5);
  EXPECT_EQ(ScanOne("\x1b[36m(RayTrainWorker pid=812, ip=10.0.0.1)\x1b[0m " + Torch(0, 2)).rank,
            -1);
  EXPECT_EQ(ScanOne("2026-11-30T19:35:10.123456789Z stderr F [rank2]: " + Torch(2, 2)).rank, 2);
}

TEST(OomScanner, ReadsLinesOfTwoWritersThatAreMixedAndWrapped) {
  const OomScan scan = Scan(
      "[rank0]: OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a\n"
      "[rank1]: OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 1 has a\n"
      "[rank0]: total capacity of 79.15 GiB of which 1.00 GiB is free. Of the allocated memory\n"
      "[rank1]: total capacity of 79.15 GiB of which 2.00 GiB is free. Of the allocated memory\n"
      "[rank1]: 75.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but "
      "unallocated.\n"
      "[rank0]: 76.00 GiB is allocated by PyTorch, and 1.50 GiB is reserved by PyTorch but "
      "unallocated.\n");
  ASSERT_EQ(scan.texts.size(), 2u);
  EXPECT_THAT(scan.texts[0].allocated, Is(76 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(scan.texts[1].allocated, Is(75 * kGiB, 0.005 * kGiB));
}

TEST(OomScanner, TellsMessagesWithoutALineEndBetweenThemApart) {
  EXPECT_EQ(Scan(Torch(0, 2) + Torch(1, 3) + Torch(2, 4)).texts.size(), 3u);
}

TEST(OomScanner, CountsRepetitionsOfOneFailure) {
  const OomText text = ScanOne(
      Torch(0, 2) + "\nThe above exception was the direct cause\nRuntimeError: " + Torch(0, 2) +
      "\n[rank0]: " + Torch(0, 2) + "\n");
  EXPECT_EQ(text.times, 3u);
  EXPECT_EQ(text.first_line, 1u);
  EXPECT_EQ(text.last_line, 4u);
  EXPECT_EQ(text.rank, 0);
}

TEST(OomScanner, ReadsThroughColours) {
  const OomText text = ScanOne(
      "\x1b[1;91mOutOfMemoryError: \x1b[0mCUDA out of memory. Tried to allocate "
      "\x1b[1;36m2.00\x1b[0m GiB. GPU \x1b[1;36m0\x1b[0m has a total capacity of "
      "\x1b[1;36m23.69\x1b[0m GiB of which \x1b[1;36m1.00\x1b[0m GiB is free. "
      "\x1b]8;;https://github.com/\x1b\\x\x1b]8;;\x1b\\\n");
  EXPECT_THAT(text.free, Is(kGiB, 0.005 * kGiB));
  EXPECT_EQ(
      ScanOne("RuntimeError: CUDA \x1b[31mout of\x1b[0m memory. Tried to allocate 2.00 GiB\n").form,
      OomForm::kTorch)
      << "a colour inside the words";
}

TEST(OomScanner, ReadsBoxedTracebacks) {
  const OomText text = ScanOne(
      "╭──────── Traceback (most recent call last) ────────╮\n"
      "│ /job/train.py:140 in training_step                │\n"
      "│ ❱ 140     loss = model(x)                          │\n"
      "╰────────────────────────────────────────────────────╯\n" +
      Torch(0, 2) + "\n");
  ASSERT_EQ(text.trace.size(), 1u);
  EXPECT_EQ(text.trace[0].function, "training_step");
}

TEST(OomScanner, ReadsBehindAProgressBarAndKeepsCountingLines) {
  const OomText text = ScanOne(
      "a\n  1%|▏   | 12/1000 [00:01<00:09]\r  2%|▏   | 23/1000 "
      "[00:02<00:09]Traceback (most recent call last):\r\n" +
      Torch(0, 2) + "\r\n");
  EXPECT_EQ(text.first_line, 3u);
  EXPECT_EQ(text.step, 23u);
}

TEST(OomScanner, ReadsSixteenBitTextAndStrayZeroBytes) {
  std::string wide;
  for (const char c : Torch(0, 2) + "\n") {
    wide += c;
    wide += '\0';
  }
  EXPECT_THAT(ScanOne(wide).requested, Is(2 * kGiB, 0.005 * kGiB));
}

TEST(OomScanner, ReadsLinesThatAreJson) {
  const OomText text = ScanOne(
      R"({"log":"torch.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)\nCurrently allocated     : 28.69 GiB\nRequested               : 7.29 GiB\n","stream":"stderr"})"
      "\n");
  EXPECT_THAT(text.requested, Is(7.29 * kGiB, 0.005 * kGiB));
}

TEST(OomScanner, FindsAMessageAnywhereInAnEndlessLine) {
  for (const size_t before : {OomScanner::kLongestLine - 300, OomScanner::kLongestLine - 5,
                              OomScanner::kLongestLine * 3 + 17, size_t{100}}) {
    const std::string line = std::string(before, 'x') + " " + Torch(0, 2) + " " +
                             std::string(OomScanner::kLongestLine * 2, 'y') + "\nlast\n";
    const OomScan scan = Scan(line);
    ASSERT_EQ(scan.texts.size(), 1u) << before;
    EXPECT_EQ(scan.texts[0].times, 1u) << before;
    EXPECT_THAT(scan.texts[0].requested, Is(2 * kGiB, 0.005 * kGiB)) << before;
    EXPECT_EQ(scan.lines, 2u);
  }
}

TEST(OomScanner, GivesTheSameForAnySizeOfPiece) {
  const std::string log = "step 3\n" + std::string(kTrace) + "[rank1]: " + Torch(1, 2) + "\r\n" +
                          std::string(70'000, 'z') + Torch(2, 3) + "\nstep 4\n\x1b[0mKilled\n";
  const OomScan whole = Scan(log);
  ASSERT_EQ(whole.texts.size(), 3u);
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{4096}, size_t{65'537}}) {
    OomScanner scanner;
    for (size_t at = 0; at < log.size(); at += piece) {
      scanner.Feed(std::string_view(log).substr(at, piece));
    }
    const OomScan scan = scanner.Finish();
    ASSERT_EQ(scan.texts.size(), whole.texts.size()) << piece;
    for (size_t i = 0; i < scan.texts.size(); ++i) {
      EXPECT_EQ(scan.texts[i].first_line, whole.texts[i].first_line) << piece;
      EXPECT_EQ(scan.texts[i].requested, whole.texts[i].requested) << piece;
      EXPECT_EQ(scan.texts[i].after, whole.texts[i].after) << piece;
    }
    EXPECT_EQ(scan.lines, whole.lines);
    EXPECT_EQ(scan.bytes, log.size());
  }
}

TEST(OomScanner, KeepsTheFirstAndTheLastOfVeryMany) {
  OomScanner scanner;
  constexpr int kMany = 3000;
  for (int i = 1; i <= kMany; ++i) {
    scanner.Feed(fmt::format("step {}\n{}\n", i, Torch(0, 0.01 * i)));
  }
  const OomScan scan = scanner.Finish();
  EXPECT_EQ(scan.texts.size(), OomKeeper::kMost);
  EXPECT_EQ(scan.left_out, kMany - OomKeeper::kMost);
  EXPECT_THAT(scan.texts.front().requested, Is(0.01 * kGiB, 0.005 * kGiB));
  EXPECT_THAT(scan.texts.back().requested, Is(30 * kGiB, 0.005 * kGiB));
  EXPECT_EQ(scan.texts.front().after, OomAfter::kWentOn);
}

TEST(OomScanner, NotesMemorySettingsButNotAdvice) {
  const OomScan scan = Scan(
      "+ export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128,expandable_segments:False\n"
      "env: {'FLAGS_gpu_memory_limit_mb': '4096', 'HOME': '/root'}\n" +
      Torch(0, 2) + "\n");
  ASSERT_EQ(scan.settings.size(), 2u);
  EXPECT_EQ(scan.settings[0].name, "PYTORCH_CUDA_ALLOC_CONF");
  EXPECT_EQ(scan.settings[0].value, "max_split_size_mb:128,expandable_segments:False");
  EXPECT_EQ(scan.settings[1].name, "FLAGS_gpu_memory_limit_mb");
  EXPECT_EQ(scan.settings[1].value, "4096");
}

TEST(OomScanner, EndsAMessageThatTheLogCutsOff) {
  const OomText text =
      ScanOne("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total cap");
  EXPECT_THAT(text.requested, Is(2 * kGiB, 0.005 * kGiB));
  EXPECT_EQ(text.capacity, std::nullopt);
}

}  // namespace
}  // namespace gpusight::memory
