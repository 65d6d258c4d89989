// SPDX-License-Identifier: Apache-2.0
// Each class from the literal message that shows it, and what keeps it from being named.
#include "memory/oom_verdict.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "memory/oom_groups.h"
#include "memory/test_scan.h"

namespace gpusight::memory {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

// Numbers of today's form, in GiB. Less than 0: the text does not say it.
struct Torch {
  double requested = 2, capacity = 80, free = 1, process = -1, allocated = 70, cached = 1;
  double limit = -1;
  std::vector<double> others = {};
  double pools = -1;
};

std::string Message(const Torch& t) {
  std::string out = fmt::format(
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {:.2f} GiB. GPU 0 has a total "
      "capacity of {:.2f} GiB of which {:.2f} GiB is free. ",
      t.requested, t.capacity, t.free);
  int pid = 800;
  for (const double other : t.others) {
    out += fmt::format("Process {} has {:.2f} GiB memory in use. ", ++pid, other);
  }
  if (t.process >= 0) {
    out += fmt::format("Including non-PyTorch memory, this process has {:.2f} GiB memory in use. ",
                       t.process);
  }
  if (t.limit >= 0) out += fmt::format("{:.2f} GiB allowed; ", t.limit);
  out += fmt::format("Of the allocated memory {:.2f} GiB is allocated by PyTorch, ", t.allocated);
  if (t.pools >= 0) {
    out += fmt::format("with {:.2f} GiB allocated in private pools (e.g., CUDA Graphs), ", t.pools);
  }
  return out + fmt::format("and {:.2f} GiB is reserved by PyTorch but unallocated.\n", t.cached);
}

OomVerdict VerdictOn(std::string_view log) { return Judge(FactsOf(ScanOne(log))); }
OomVerdict VerdictOn(const Torch& t) { return VerdictOn(Message(t)); }

double Sum(const OomAccount& account) {
  return std::accumulate(account.rows.begin(), account.rows.end(), 0.0,
                         [](double sum, const OomAccount::Row& row) { return sum + row.bytes; });
}

TEST(Verdict, IsTooBigAboveTheCapacity) {
  const OomVerdict v = VerdictOn({.requested = 90, .capacity = 80, .allocated = 1});
  EXPECT_EQ(v.cause, OomClass::kTooBig);
  EXPECT_EQ(v.confidence, 1.0);
  EXPECT_FALSE(v.Has(OomNote::kAbsurd));
  EXPECT_TRUE(VerdictOn({.requested = 4000, .capacity = 80}).Has(OomNote::kAbsurd));
  EXPECT_EQ(VerdictOn("RuntimeError: CUDA out of memory. Tried to allocate more than 1EB memory.\n")
                .cause,
            OomClass::kTooBig);
}

TEST(Verdict, IsTooBigForOneAllocationOfMoreThanHalf) {
  const OomVerdict v = VerdictOn({.requested = 22.78,
                                  .capacity = 31.47,
                                  .free = 12.73,
                                  .process = 18.73,
                                  .allocated = 9.08,
                                  .cached = 9.35});
  EXPECT_EQ(v.cause, OomClass::kTooBig);
  EXPECT_LT(v.confidence, 0.9);
}

TEST(Verdict, IsFragmentationWhenThePiecesAreMoreThanTheRequest) {
  const OomVerdict v =
      VerdictOn({.requested = 3, .free = 1.5, .process = 77, .allocated = 62, .cached = 14});
  EXPECT_EQ(v.cause, OomClass::kFragmentation);
  EXPECT_GE(v.confidence, 0.9);
}

TEST(Verdict, IsNoFragmentationWhenThePiecesAreLess) {
  const OomVerdict v =
      VerdictOn({.requested = 3, .free = 1.5, .process = 77, .allocated = 74, .cached = 2});
  EXPECT_EQ(v.cause, OomClass::kFull);
  EXPECT_THAT(v.also, Not(Contains(OomClass::kFragmentation)));
}

TEST(Verdict, IsFullRatherThanFragmentedWhenThePiecesAreFew) {
  const OomVerdict v = VerdictOn({.requested = 0.02,
                                  .capacity = 23.65,
                                  .free = 0.01,
                                  .process = 23.60,
                                  .allocated = 22.90,
                                  .cached = 0.19});
  EXPECT_EQ(v.cause, OomClass::kFull);
  EXPECT_THAT(v.also, Contains(OomClass::kFragmentation));
  EXPECT_TRUE(v.Has(OomNote::kSmallPieces));
  EXPECT_THAT(v.gaps, Contains(OomGap::kHistory));
}

TEST(Verdict, IsTheNeighbourThatHoldsWhatIsMissing) {
  const OomVerdict v = VerdictOn({.requested = 2,
                                  .free = 1,
                                  .process = 37,
                                  .allocated = 36,
                                  .cached = 0.5,
                                  .others = {38, 3}});
  EXPECT_EQ(v.cause, OomClass::kNeighbour);
  EXPECT_GE(v.confidence, 0.9);
  EXPECT_DOUBLE_EQ(*v.account.Part(OomPart::kOthers), 41 * 1073741824.0);
}

TEST(Verdict, IsNotTheNeighbourThatHoldsLittle) {
  const OomVerdict v = VerdictOn(
      {.requested = 9, .free = 1, .process = 77, .allocated = 75, .cached = 1, .others = {1.5}});
  EXPECT_EQ(v.cause, OomClass::kFull);
}

TEST(Verdict, TellsItselfFromOthersInAContainerByItsSize) {
  const OomFacts facts = FactsOf(ScanOne(
      Message({.requested = 2, .free = 1, .allocated = 36.5, .cached = 0.5, .others = {38, 39}})));
  EXPECT_TRUE(facts.own_guessed);
  ASSERT_EQ(facts.holders.size(), 1u);
  EXPECT_EQ(facts.holders[0].pid, 802u);
  const OomVerdict v = Judge(facts);
  EXPECT_EQ(v.cause, OomClass::kNeighbour);
  EXPECT_TRUE(v.Has(OomNote::kOwnGuessed));
  EXPECT_LT(v.confidence, 0.9);
}

TEST(Verdict, SuspectsNeighboursThatNobodyLists) {
  const OomVerdict v =
      VerdictOn({.requested = 20, .free = 2, .process = 18, .allocated = 9, .cached = 8});
  EXPECT_EQ(v.cause, OomClass::kNeighbour);
  EXPECT_TRUE(v.Has(OomNote::kUnlistedMuch));
}

TEST(Verdict, AbstainsFromSplittingWhatTheTextDoesNotSplit) {
  const OomVerdict v = VerdictOn({.requested = 20, .free = 2, .allocated = 9, .cached = 8});
  EXPECT_LT(v.confidence, kSureEnough);
  EXPECT_THAT(v.gaps, Contains(OomGap::kProcesses));
  EXPECT_TRUE(v.account.Part(OomPart::kRest));
  EXPECT_FALSE(v.account.Part(OomPart::kOthers));
}

TEST(Verdict, IsOutsideTheAllocatorWhenThatIsWhatIsMissing) {
  const OomVerdict v =
      VerdictOn({.requested = 4, .free = 1, .process = 79, .allocated = 68, .cached = 2});
  EXPECT_EQ(v.cause, OomClass::kOutside);
  const OomVerdict usual =
      VerdictOn({.requested = 4, .free = 1, .process = 78, .allocated = 75, .cached = 1.5});
  EXPECT_EQ(usual.cause, OomClass::kFull) << "a context is always there";
  const OomVerdict small = VerdictOn({.requested = 1.5,
                                      .capacity = 16,
                                      .free = 0.2,
                                      .process = 15.7,
                                      .allocated = 13,
                                      .cached = 0.8});
  EXPECT_EQ(small.cause, OomClass::kFull) << "1.9 GiB are little more than usual";
  EXPECT_EQ(VerdictOn("NCCL WARN Failed to CUDA calloc 536870912 bytes\n").cause,
            OomClass::kOutside);
  EXPECT_LT(VerdictOn("RuntimeError: CUDA error: out of memory\n").confidence, kSureEnough);
}

TEST(Verdict, IsTheLimitWhenTheDeviceHadRoom) {
  const OomVerdict v = VerdictOn(
      {.requested = 5, .free = 40, .process = 39, .allocated = 36, .cached = 2, .limit = 40});
  EXPECT_EQ(v.cause, OomClass::kLimit);
  const OomVerdict full = VerdictOn(
      {.requested = 5, .free = 1, .process = 78, .allocated = 75, .cached = 2, .limit = 79});
  EXPECT_NE(full.cause, OomClass::kLimit);
}

TEST(Verdict, DoesNotKnowWhyMoreWasFreeThanAskedFor) {
  const OomVerdict v = VerdictOn(
      "RuntimeError: CUDA out of memory. Tried to allocate 2.26 GiB (GPU 0; 6.00 GiB total "
      "capacity; "
      "781.59 MiB already allocated; 3.03 GiB free; 1.24 GiB reserved in total by PyTorch)\n");
  EXPECT_EQ(v.cause, OomClass::kUnknown);
  EXPECT_EQ(v.confidence, 0);
  EXPECT_TRUE(v.Has(OomNote::kFreeEnough));
}

TEST(Verdict, DoesNotBlameThePiecesWhenEnoughWasFree) {
  const OomVerdict v =
      VerdictOn({.requested = 2, .free = 3, .process = 76, .allocated = 61, .cached = 14});
  EXPECT_NE(v.cause, OomClass::kFragmentation);
}

TEST(Verdict, KnowsTheFirstStepAndLateOnes) {
  const std::string message = Message({.process = 78, .allocated = 75});
  const OomVerdict first = VerdictOn("step 1 loss 3\n" + message);
  EXPECT_EQ(first.cause, OomClass::kTooBig);
  EXPECT_TRUE(first.Has(OomNote::kFirstStep));
  const OomVerdict late = VerdictOn("step 4000 loss 3\n" + message);
  EXPECT_EQ(late.cause, OomClass::kFull);
  EXPECT_TRUE(late.Has(OomNote::kLateStep));
}

TEST(Verdict, NamesEvaluationOnlyWithEvidence) {
  const std::string trace =
      "Traceback (most recent call last):\n  File \"/job/a.py\", line 3, in validate\n";
  const OomVerdict v = VerdictOn(trace + Message({.process = 78, .allocated = 75}));
  EXPECT_EQ(v.cause, OomClass::kFull);
  EXPECT_THAT(v.also, Contains(OomClass::kEvaluation)) << "possible, no more";
  const std::string decorated = trace +
                                "  File \"/x/site-packages/torch/utils/_contextlib.py\", line 116, "
                                "in decorate_context\n";
  EXPECT_THAT(VerdictOn(decorated + Message({.process = 78, .allocated = 75})).also,
              Not(Contains(OomClass::kEvaluation)));
}

TEST(Verdict, KnowsTheSegmentFromTheTensor) {
  EXPECT_TRUE(
      VerdictOn("RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 6.00 "
                "GiB total capacity; 5.59 GiB already allocated; 3.03 MiB free; 5.60 GiB "
                "reserved in total by PyTorch)\n")
          .Has(OomNote::kSegment));
}

TEST(Verdict, SeesTheSpillOfWindows) {
  const OomVerdict v =
      VerdictOn({.requested = 2, .capacity = 11.99, .free = 0, .allocated = 16.16, .cached = 0.14});
  EXPECT_TRUE(v.Has(OomNote::kOverfull));
  EXPECT_EQ(v.cause, OomClass::kFull);
}

TEST(Verdict, OfPaddleAbstainsBecauseItsNumbersAreOfAllProcesses) {
  const std::string head =
      "Out of memory error on GPU 0. Cannot allocate 3.000000GB memory on GPU 0, 78.000000GB "
      "memory "
      "has been allocated and available memory is only 2.000000GB.\n";
  const OomVerdict v = VerdictOn(head);
  EXPECT_EQ(v.cause, OomClass::kUnknown);
  EXPECT_THAT(v.gaps, Contains(OomGap::kAllocator));
  EXPECT_DOUBLE_EQ(v.account.total, 80 * 1073741824.0);
  EXPECT_EQ(VerdictOn(head + "Currently `FLAGS_gpu_memory_limit_mb` is 81920, so …\n").cause,
            OomClass::kLimit);
  EXPECT_EQ(VerdictOn("Out of memory error on GPU 0. Cannot allocate 90.000000GB memory on GPU 0, "
                      "1.000000GB memory has been allocated and available memory is only "
                      "79.000000GB.\n")
                .cause,
            OomClass::kTooBig);
}

TEST(Verdict, OfAPoolComparesItsPieces) {
  const auto dump = [](double request, double used, double largest) {
    return fmt::format(
        "W bfc_allocator.cc:501] Allocator (GPU_0_bfc) ran out of memory trying to allocate "
        "1.00GiB (rounded to {:.0f})requested by op \n"
        "I bfc_allocator.cc:1174] Stats: \nLimit: 32212254720\nInUse: {:.0f}\nMaxInUse: 1\n"
        "LargestFreeBlock: {:.0f}\n"
        "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate "
        "{:.0f} bytes.\n",
        request, used, largest, request);
  };
  constexpr double kGiB = 1073741824;
  EXPECT_EQ(VerdictOn(dump(4 * kGiB, 20 * kGiB, 3 * kGiB)).cause, OomClass::kFragmentation);
  EXPECT_EQ(VerdictOn(dump(4 * kGiB, 28 * kGiB, 2 * kGiB)).cause, OomClass::kFull);
  EXPECT_EQ(VerdictOn(dump(40 * kGiB, 2 * kGiB, 28 * kGiB)).cause, OomClass::kTooBig);
}

TEST(Verdict, OfTheHostDependsOnWhoSaysSo) {
  EXPECT_EQ(VerdictOn("MemoryError\n").cause, OomClass::kHostMemory);
  EXPECT_EQ(VerdictOn("Out of memory: Killed process 8 (python3) total-vm:1kB, anon-rss:1kB\n")
                .confidence,
            1.0);
  EXPECT_LT(VerdictOn("Killed\n").confidence, kSureEnough);
  EXPECT_EQ(VerdictOn("RuntimeError: unable to write to file </torch_8_1>: No space left on device "
                      "(28)\n")
                .cause,
            OomClass::kSharedMemory);
}

TEST(Verdict, BelievesTheKernelRatherThanPyTorchsGuess) {
  const auto groups = GroupTexts(
      Scan(
          "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient "
          "shared memory (shm).\n"
          "RuntimeError: DataLoader worker (pid 8) is killed by signal: Killed. \n"
          "slurmstepd: error: Detected 1 oom_kill event in StepId=5.batch. Some of the step tasks "
          "have been OOM Killed.\n")
          .texts);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].verdict.cause, OomClass::kHostMemory);
  EXPECT_EQ(groups[0].members.size(), 3u);
}

TEST(Account, AddsUpWhateverIsKnown) {
  for (const Torch& t :
       {Torch{}, Torch{.process = 75}, Torch{.process = 75, .others = {2, 1}},
        Torch{.process = 75, .pools = 3}, Torch{.free = 0, .allocated = 76.4, .cached = 0.02}}) {
    const OomVerdict v = VerdictOn(t);
    ASSERT_THAT(v.account.rows, Not(IsEmpty()));
    EXPECT_NEAR(Sum(v.account), v.account.total, 1) << Message(t);
    EXPECT_FALSE(v.account.overfull) << Message(t);
  }
}

TEST(Account, DoesNotMakeAPartOfARounding) {
  // 75.00 may be 75.004: the process holds no less than it reserved.
  const OomVerdict v = VerdictOn({.free = 4.99, .process = 75.00, .allocated = 74, .cached = 1.01});
  EXPECT_DOUBLE_EQ(*v.account.Part(OomPart::kOutside), 0);
}

}  // namespace
}  // namespace gpusight::memory
