// SPDX-License-Identifier: Apache-2.0
// Growth and peaks in what came before, and the verdicts that need them.
#include "memory/memory_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "memory/oom_verdict.h"

namespace gpusight::memory {
namespace {

constexpr double kMiB = 1048576, kGiB = 1073741824;

// One look a second, two steps each, with noise as activations make it.
std::vector<MemoryPoint> Course(size_t count, double start, double per_second, double noise) {
  std::mt19937 random(5);
  std::vector<MemoryPoint> out(count);
  for (size_t i = 0; i < count; ++i) {
    const double jitter = noise * static_cast<double>(random() % 1000) / 1000;
    out[i].seconds = 100 + static_cast<double>(i);
    out[i].step = 2 * i;
    out[i].allocated = start + per_second * static_cast<double>(i) + jitter;
    out[i].reserved = *out[i].allocated + kGiB;
    out[i].process = *out[i].reserved + kGiB;
    out[i].phase = OomPhase::kTraining;
  }
  return out;
}

TEST(Growth, IsFoundUnderTheNoiseOfActivations) {
  const auto growth = FindGrowth(Course(1200, 20 * kGiB, 6 * kMiB, 4 * kGiB), 80 * kGiB);
  ASSERT_TRUE(growth);
  EXPECT_EQ(growth->what, GrowthOf::kAllocated);
  EXPECT_NEAR(growth->per_step, 3 * kMiB, 0.3 * kMiB);
  EXPECT_NEAR(growth->last - growth->first, 1080 * 6 * kMiB, 0.6 * kGiB);
}

TEST(Growth, IsNoneInALevelCourse) {
  EXPECT_FALSE(FindGrowth(Course(1200, 20 * kGiB, 0, 4 * kGiB), 80 * kGiB));
  EXPECT_FALSE(FindGrowth(Course(1200, 20 * kGiB, 0.05 * kMiB, 0), 80 * kGiB)) << "too little";
  EXPECT_FALSE(FindGrowth(Course(5, 20 * kGiB, kGiB, 0), 80 * kGiB)) << "too few";
  EXPECT_FALSE(FindGrowth({}, 80 * kGiB));
}

TEST(Growth, IsNoneWhenOnlyTheStartRises) {
  auto course = Course(600, 20 * kGiB, 0, kGiB);
  for (size_t i = 0; i < 20; ++i) course[i].allocated = static_cast<double>(i) * kGiB;
  EXPECT_FALSE(FindGrowth(course, 80 * kGiB));
}

TEST(Growth, IsNoneInTheFirstStepsHoweverOftenTheyAreLookedAt) {
  auto course = Course(15, kGiB, kGiB, 0);
  for (size_t i = 0; i < course.size(); ++i) course[i].step = i / 2;
  EXPECT_FALSE(FindGrowth(course, 80 * kGiB));
  for (size_t i = 0; i < course.size(); ++i) course[i].step = i;
  EXPECT_TRUE(FindGrowth(course, 80 * kGiB));
}

TEST(Growth, IsNoneInASawtooth) {
  auto course = Course(600, 20 * kGiB, 0, 0);
  for (size_t i = 0; i < course.size(); ++i) {
    course[i].allocated = 20 * kGiB + static_cast<double>(i % 100) * 100 * kMiB;
  }
  EXPECT_FALSE(FindGrowth(course, 80 * kGiB));
}

TEST(Growth, IsNoneInAJumpThatFallsBack) {
  auto course = Course(13, 0, 0, 0);
  constexpr double kHeld[] = {0, 0, 0, 0, 0, 9, 8, 7, 6, 4.9, 4.8, 4.7, 4.6};
  for (size_t i = 0; i < course.size(); ++i) course[i].allocated = kHeld[i] * kGiB;
  EXPECT_FALSE(FindGrowth(course, 80 * kGiB));
}

TEST(Growth, EndsWithinWhatWasSeenHoweverSteepTheTrendIs) {
  // A real run on an H200: level while the data are made, then a rise until the end.
  auto course = Course(20, 0, 0, 0);
  const double held[] = {256,  256,  256,  256,  481,  1057, 1537, 2017, 2529, 3009,
                         3489, 3969, 4481, 4961, 5441, 5921, 6401, 6945, 6977, 6977};
  for (size_t i = 0; i < course.size(); ++i) course[i].allocated = held[i] * kMiB;
  const auto growth = FindGrowth(course, 140 * kGiB);
  ASSERT_TRUE(growth);
  EXPECT_GE(growth->first, 256 * kMiB);
  EXPECT_LE(growth->last, 6977 * kMiB);
  EXPECT_NEAR(growth->per_step * static_cast<double>(growth->steps), growth->last - growth->first,
              1);
  EXPECT_NEAR(growth->per_second * growth->seconds, growth->last - growth->first, 1);
}

TEST(Growth, OutsideTheAllocatorIsAnother) {
  auto course = Course(600, 20 * kGiB, 0, 0);
  for (size_t i = 0; i < course.size(); ++i) {
    course[i].process = *course[i].reserved + kGiB + static_cast<double>(i) * 10 * kMiB;
  }
  const auto growth = FindGrowth(course, 80 * kGiB);
  ASSERT_TRUE(growth);
  EXPECT_EQ(growth->what, GrowthOf::kOutside);
}

OomFacts Full() {
  OomFacts facts;
  facts.framework = Framework::kPyTorch;
  facts.requested = 2 * kGiB;
  facts.capacity = 80 * kGiB;
  facts.free = kGiB;
  facts.allocated = 76 * kGiB;
  facts.reserved = 77 * kGiB;
  facts.cached = kGiB;
  facts.process = 78 * kGiB;
  facts.others = 0;
  return facts;
}

TEST(History, TurnsFullIntoALeak) {
  OomFacts facts = Full();
  EXPECT_EQ(Judge(facts).cause, OomClass::kFull);
  AddHistory(facts, Course(1200, 20 * kGiB, 48 * kMiB, kGiB));
  const OomVerdict v = Judge(facts);
  EXPECT_EQ(v.cause, OomClass::kLeak);
  EXPECT_THAT(v.gaps, testing::Not(testing::Contains(OomGap::kHistory)));
}

TEST(History, IsNoLeakWhenItGrewByLessThanWasMissing) {
  OomFacts facts = Full();
  facts.requested = 12 * kGiB;
  AddHistory(facts, Course(1200, 72 * kGiB, 3 * kMiB, 0));
  ASSERT_TRUE(facts.growth);
  EXPECT_NE(Judge(facts).cause, OomClass::kLeak);
}

TEST(History, LeavesItFullWhenItWasLevel) {
  OomFacts facts = Full();
  AddHistory(facts, Course(1200, 74 * kGiB, 0, kGiB));
  EXPECT_EQ(Judge(facts).cause, OomClass::kFull);
  EXPECT_THAT(Judge(facts).gaps, testing::Not(testing::Contains(OomGap::kHistory)));
}

TEST(History, ShowsEvaluationThatKeepsGradients) {
  auto course = Course(300, 30 * kGiB, 0, kGiB);
  for (size_t i = 280; i < course.size(); ++i) {
    course[i].phase = OomPhase::kEvaluation;
    course[i].allocated = 40 * kGiB + static_cast<double>(i - 280) * 1.8 * kGiB;
  }
  OomFacts facts = Full();
  AddHistory(facts, course);
  EXPECT_EQ(Judge(facts).cause, OomClass::kEvaluation);
  facts.no_grad = true;
  EXPECT_NE(Judge(facts).cause, OomClass::kEvaluation);
}

// A frame with one process, its allocator and another process on the device.
Frame FrameAt(double seconds, double allocated, std::string_view phase) {
  Frame frame;
  frame.time.ns = static_cast<int64_t>(seconds * 1e9);
  frame.devices.resize(1);
  frame.devices[0].process_count = 2;
  FrameworkSample framework;
  framework.pid = 812;
  framework.framework = Framework::kPyTorch;
  framework.fields[FrameworkField::kSteps] = seconds * 2;
  AllocatorSample allocator;
  allocator.device = 0;
  allocator.fields[AllocatorField::kAllocated] = allocated;
  allocator.fields[AllocatorField::kReserved] = allocated + kGiB;
  framework.allocators.push_back(allocator);
  if (!phase.empty()) {
    Mark mark;
    mark.type = MarkType::kPhase;
    mark.text = phase;
    framework.marks.push_back(mark);
  }
  frame.frameworks.push_back(framework);
  for (const auto& [pid, memory] : {std::pair(812, allocated + 2 * kGiB), {900, 30 * kGiB}}) {
    ProcessSample& process = AddProcess(frame);
    process.pid = pid;
    GpuUse use;
    use.device = 0;
    use.fields[UseField::kMemory] = memory;
    process.uses.push_back(use);
  }
  return frame;
}

TEST(History, IsReadFromFrames) {
  const Frame frames[] = {FrameAt(1, 10 * kGiB, "train"), FrameAt(2, 11 * kGiB, ""),
                          FrameAt(3, 12 * kGiB, "eval")};
  const auto points = HistoryOf(frames, 812, 0);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].allocated, 11 * kGiB);
  EXPECT_EQ(points[1].process, 13 * kGiB);
  EXPECT_EQ(points[1].phase, OomPhase::kTraining);
  EXPECT_EQ(points[2].phase, OomPhase::kEvaluation);
  EXPECT_EQ(points[2].step, 6u);
  EXPECT_TRUE(HistoryOf(frames, 813, 0).empty());
  EXPECT_TRUE(HistoryOf(frames, 812, 1).empty());
}

TEST(Observer, IsJudgedWithTheFrameBesideIt) {
  const Frame frame = FrameAt(5, 40 * kGiB, "train");
  OutOfMemory event;
  event.requested = static_cast<uint64_t>(4 * kGiB);
  event.total = static_cast<uint64_t>(80 * kGiB);
  event.free = static_cast<uint64_t>(2 * kGiB);
  event.allocated = static_cast<uint64_t>(44 * kGiB);
  event.reserved = static_cast<uint64_t>(45 * kGiB);
  const OomFacts facts = FactsOf(event, frame.frameworks[0], &frame);
  EXPECT_EQ(facts.others, 30 * kGiB);
  EXPECT_EQ(facts.process, 45 * kGiB) << "never less than it reserved";
  EXPECT_EQ(facts.step, 10u);
  EXPECT_EQ(Judge(facts).cause, OomClass::kNeighbour);
  const OomFacts alone = FactsOf(event, frame.frameworks[0], nullptr);
  EXPECT_FALSE(alone.others);
  EXPECT_LT(Judge(alone).confidence, 0.9) << "nobody says who holds the rest";
}

TEST(Observer, PrefersInactiveSplitToAllThatIsCached) {
  FrameworkSample sample;
  sample.framework = Framework::kPyTorch;
  OutOfMemory event;
  event.requested = static_cast<uint64_t>(4 * kGiB);
  event.total = static_cast<uint64_t>(80 * kGiB);
  event.free = static_cast<uint64_t>(kGiB);
  event.allocated = static_cast<uint64_t>(60 * kGiB);
  event.reserved = static_cast<uint64_t>(78 * kGiB);
  event.inactive_split = static_cast<uint64_t>(17 * kGiB);
  EXPECT_EQ(Judge(FactsOf(event, sample, nullptr)).cause, OomClass::kFragmentation);
  event.inactive_split = static_cast<uint64_t>(2 * kGiB);
  EXPECT_NE(Judge(FactsOf(event, sample, nullptr)).cause, OomClass::kFragmentation);
}

// With a limit, PyTorch's observer is told the limit as the device's total. Numbers of a real run.
OutOfMemory Limited() {
  OutOfMemory event;
  event.requested = 33554432;
  event.total = 7505494016;
  event.free = 141837860864;
  event.allocated = event.active = 7483818496;
  event.reserved = 7484735488;
  event.inactive_split = 916992;
  return event;
}

TEST(Observer, TellsALimitFromADevice) {
  Frame frame = FrameAt(5, 4 * kGiB, "train");
  frame.devices[0].fields[DeviceField::kMemoryTotal] = 150754820096;
  frame.devices[0].fields[DeviceField::kMemoryDriverReserved] = 644939776;
  frame.devices[0].process_count = 1.0;
  const FrameworkSample& sample = frame.frameworks[0];
  OomFacts facts = FactsOf(Limited(), sample, &frame);
  EXPECT_EQ(facts.limit, 7505494016);
  EXPECT_EQ(facts.capacity, 150754820096.0 - 644939776);
  // What was held grew, as it must before a limit is met.
  facts.growth =
      Growth{.first = 256 * kMiB, .last = 6977 * kMiB, .per_step = 33 * kMiB, .steps = 200};
  const OomVerdict verdict = Judge(facts);
  EXPECT_EQ(verdict.cause, OomClass::kLimit);
  EXPECT_EQ(verdict.also, std::vector{OomClass::kLeak});
  EXPECT_FALSE(verdict.account.overfull);
  EXPECT_FALSE(verdict.account.rows.empty());

  const OomFacts alone = FactsOf(Limited(), sample, nullptr);
  EXPECT_EQ(Judge(alone).cause, OomClass::kLimit) << "more was free than there is";
  EXPECT_FALSE(Judge(alone).account.overfull);
}

TEST(Observer, KnowsALimitOfLessThanWasFreeOnlyFromTheDevice) {
  Frame frame = FrameAt(5, 4 * kGiB, "train");
  frame.devices[0].fields[DeviceField::kMemoryTotal] = 80 * kGiB;
  OutOfMemory event;
  event.requested = static_cast<uint64_t>(2 * kGiB);
  event.total = static_cast<uint64_t>(40 * kGiB);  // the limit
  event.free = static_cast<uint64_t>(10 * kGiB);
  event.allocated = event.active = event.reserved = static_cast<uint64_t>(39 * kGiB);
  const OomFacts facts = FactsOf(event, frame.frameworks[0], &frame);
  EXPECT_EQ(facts.limit, 40 * kGiB);
  EXPECT_EQ(Judge(facts).cause, OomClass::kLimit);
}

TEST(Observer, KeepsThePartsWithinTheDeviceWhenTheFrameIsOlder) {
  Frame frame = FrameAt(5, 40 * kGiB, "train");  // others held 30 GiB then
  OutOfMemory event;
  event.requested = static_cast<uint64_t>(4 * kGiB);
  event.total = static_cast<uint64_t>(80 * kGiB);
  event.free = static_cast<uint64_t>(2 * kGiB);
  event.allocated = event.active = event.reserved = static_cast<uint64_t>(70 * kGiB);
  const OomFacts facts = FactsOf(event, frame.frameworks[0], &frame);
  EXPECT_FALSE(AccountOf(facts).overfull);
  EXPECT_EQ(facts.others, 8 * kGiB) << "no more than there was room for";
}

}  // namespace
}  // namespace gpusight::memory
