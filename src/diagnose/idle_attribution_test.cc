// SPDX-License-Identifier: Apache-2.0
#include "diagnose/idle_attribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace gpusight::diagnose {
namespace {

constexpr int64_t kBegin = 1'775'383'200'000'000'000;
constexpr const char* kLoad = "train.py:12 main;data.py:88 load";
constexpr const char* kItem = "train.py:12 main;train.py:140 step";
constexpr const char* kSave = "train.py:12 main;train.py:150 keep;torch/serialization.py:943 save";

WallTime At(double seconds) { return {kBegin + static_cast<int64_t>(seconds * 1e9)}; }

// A job of ten-second cycles: while `busy` says 0 the thread stands where `stack` says.
struct Job {
  double seconds = 300;
  double driver_clock = 0, program_clock = 0;  // how far they are ahead
  std::function<double(double)> busy = [](double) { return 1.0; };
  std::function<int(double)> stack = [](double) { return 1; };
  int drain_every = 1;  // frames
};

IdleReport Attribute(const Job& job) {
  const std::vector<std::string> stacks = {kLoad, kItem, kSave};
  IdleAttribution idle;
  std::vector<SubSample> ring;
  double sampled = 0, looked = 0;
  int frame = 0;
  for (double t = 1; t <= job.seconds; t += 1, ++frame) {
    for (; sampled + 0.2 <= t; sampled += 0.2) {
      ring.push_back({At(sampled + 0.2 + job.driver_clock), job.busy(sampled + 0.1)});
    }
    std::vector<StackSample> looks;
    for (; looked <= t; looked += 0.05) {
      looks.push_back({At(looked + job.program_clock), static_cast<uint32_t>(job.stack(looked))});
    }
    if (frame % job.drain_every == 0) {
      idle.AddRing(ring, At(t), 1);
      ring.clear();
    } else {
      idle.AddRing({}, At(t), 1);
    }
    idle.AddStacks(looks, stacks, At(t), 1);
  }
  idle.AddRing(ring, At(job.seconds), 1);
  return idle.Finish();
}

double ShareOf(const IdleReport& report, std::string_view stack) {
  for (const StackTime& s : report.stacks) {
    if (s.stack == stack) return s.idle / report.explained_seconds;
  }
  return 0;
}

// Of ten seconds: 3 idle in data.py, 1 idle in .item(), 6 busy in .item().
Job LoaderBound() {
  Job job;
  const auto phase = [](double t) { return t - 10 * static_cast<int>(t / 10); };
  job.busy = [phase](double t) { return phase(t) < 4 ? 0.0 : 1.0; };
  job.stack = [phase](double t) { return phase(t) < 3 ? 0 : 1; };
  return job;
}

TEST(IdleAttribution, SaysWhereTheThreadWasWhileTheGpuWasIdle) {
  const IdleReport report = Attribute(LoaderBound());
  EXPECT_EQ(report.why, IdleReport::Why::kKnown);
  EXPECT_NEAR(report.idle_share(), 0.4, 0.01);
  EXPECT_NEAR(ShareOf(report, kLoad), 0.75, 0.03);
  EXPECT_NEAR(ShareOf(report, kItem), 0.25, 0.03);
  EXPECT_EQ(report.stacks.front().stack, kLoad);
}

TEST(IdleAttribution, SharesAddUpToTheExplainedTime) {
  const IdleReport report = Attribute(LoaderBound());
  double sum = 0;
  for (const StackTime& stack : report.stacks) sum += stack.idle;
  EXPECT_NEAR(sum, report.explained_seconds, 1e-6);
  EXPECT_LE(report.explained_seconds, report.idle_seconds + 1e-9);
}

TEST(IdleAttribution, AHalfBusySampleIsHalfIdle) {
  Job job;
  job.busy = [](double) { return 0.5; };
  const IdleReport report = Attribute(job);
  EXPECT_NEAR(report.idle_share(), 0.5, 1e-6);
  EXPECT_NEAR(report.stacks.front().busy, report.stacks.front().idle, 1e-6);
}

TEST(IdleAttribution, ADriverClockThatIsAheadIsPutRight) {
  Job job = LoaderBound();
  job.driver_clock = 3;
  const IdleReport report = Attribute(job);
  EXPECT_NEAR(report.driver_clock.most, -3, 0.3);
  EXPECT_NEAR(ShareOf(report, kLoad), 0.75, 0.06);
}

TEST(IdleAttribution, AProgramsClockThatIsBehindIsPutRight) {
  Job job = LoaderBound();
  job.program_clock = -7;
  const IdleReport report = Attribute(job);
  EXPECT_NEAR(report.program_clock.most, 7, 0.3);
  EXPECT_NEAR(ShareOf(report, kLoad), 0.75, 0.06);
}

TEST(IdleAttribution, SamplesThatAreDrainedRarelyAreJoinedAllTheSame) {
  Job job = LoaderBound();
  job.drain_every = 10;
  const IdleReport report = Attribute(job);
  EXPECT_NEAR(report.seconds, 300, 1);
  EXPECT_NEAR(report.explained_seconds, report.idle_seconds, 0.2 * report.idle_seconds);
  EXPECT_NEAR(ShareOf(report, kLoad), 0.75, 0.05);
}

TEST(IdleAttribution, AClockThatDoesNotKeepStillIsNotUsed) {
  IdleAttribution idle;
  const std::vector<std::string> stacks = {kLoad};
  for (int i = 1; i <= 50; ++i) {
    const double wander = (i * 37 % 50) * 2.0;
    idle.AddRing(std::vector<SubSample>{{At(i), 0.0}}, At(i), 1);
    idle.AddStacks(std::vector<StackSample>{{At(i - wander), 0}}, stacks, At(i), 1);
  }
  const IdleReport report = idle.Finish();
  EXPECT_EQ(report.why, IdleReport::Why::kUnsteadyClock);
  EXPECT_GT(report.unsteady_seconds, 0);
}

TEST(IdleAttribution, WithoutTheDriversSamplesItCannotKnow) {
  IdleAttribution idle;
  const std::vector<std::string> stacks = {kLoad};
  idle.AddRing({}, At(1), 1);
  idle.AddStacks(std::vector<StackSample>{{At(0.5), 0}}, stacks, At(1), 1);
  EXPECT_EQ(idle.Finish().why, IdleReport::Why::kNoSamples);
}

TEST(IdleAttribution, WithoutStacksTheIdleShareIsKnownAllTheSame) {
  IdleAttribution idle;
  idle.AddRing(std::vector<SubSample>{{At(0.2), 0.0}, {At(0.4), 1.0}}, At(1), 1);
  const IdleReport report = idle.Finish();
  EXPECT_EQ(report.why, IdleReport::Why::kNoStacks);
  EXPECT_NEAR(report.idle_share(), 0.5, 1e-6);
}

TEST(IdleAttribution, AStackNumberOutsideTheTableIsIgnored) {
  IdleAttribution idle;
  const std::vector<std::string> stacks = {kLoad};
  idle.AddStacks(std::vector<StackSample>{{At(0.5), 7}}, stacks, At(1), 1);
  EXPECT_TRUE(idle.Finish().stacks.empty());
}

TEST(IdleAttribution, TimesThatNoClockShowsAreLeftOut) {
  IdleAttribution idle;
  const std::vector<std::string> stacks = {kLoad};
  idle.AddRing(std::vector<SubSample>{{{INT64_MIN}, 0.0}, {At(1), 0.0}, {{INT64_MAX}, 0.0}}, At(1),
               1);
  idle.AddStacks(std::vector<StackSample>{{{INT64_MAX}, 0}, {{INT64_MIN}, 0}}, stacks, At(1), 1);
  EXPECT_NEAR(idle.Finish().seconds, 0.2, 1e-6);
}

TEST(IdleAttribution, AHostileProgramCannotMakeItGrow) {
  IdleAttribution idle;
  for (uint32_t i = 0; i < 10'000; ++i) {
    const std::vector<std::string> stacks = {"a.py:" + std::to_string(i)};
    const double t = i * 0.05;
    idle.AddStacks(std::vector<StackSample>{{At(t), 0}}, stacks, At(t), 0.05);
    if (i % 4 == 0) idle.AddRing(std::vector<SubSample>{{At(t), 0.0}}, At(t), 0.2);
  }
  EXPECT_LE(idle.Finish().stacks.size(), 4096U);
}

TEST(IdleAttribution, SamplesOnEitherSideOfAClockThatWasSetAreNotCompared) {
  IdleAttribution idle;
  const std::vector<std::string> stacks = {kLoad};
  idle.AddRing(std::vector<SubSample>{{At(99.8), 0.0}, {At(100), 0.0}}, At(100), 1);
  idle.ClockWasSet();
  idle.AddStacks(std::vector<StackSample>{{At(50), 0}}, stacks, At(50), 1);
  EXPECT_NEAR(idle.Finish().seconds, 0.4, 1e-6);
}

TEST(IdleAttribution, OldFramesAreSharedOutByHowOftenAStackWasSeen) {
  IdleAttribution idle;
  idle.AddMerged(60, 0.5);
  idle.AddMerged(60, Absence::kNotSupported);
  idle.AddCount(kLoad, 30);
  idle.AddCount(kItem, 10);
  const IdleReport report = idle.Finish();
  EXPECT_EQ(report.why, IdleReport::Why::kKnown);
  EXPECT_EQ(report.seconds, 60);
  EXPECT_EQ(report.idle_seconds, 30);
  EXPECT_EQ(report.counted_seconds, 30);
  EXPECT_NEAR(ShareOf(report, kLoad), 0.75, 1e-9);
}

TEST(Place, IsTheProgramsOwnInnermostLine) {
  EXPECT_EQ(PlaceOf(kLoad), "data.py:88 load");
  EXPECT_EQ(PlaceOf("train.py:7 <module>"), "train.py:7");
  EXPECT_EQ(PlaceOf("train.py:7 main;src/data/queue.py:3 get"), "src/data/queue.py:3 get");
}

TEST(Place, NamesTheLibrarysFunctionThatItIsIn) {
  EXPECT_EQ(PlaceOf(kSave), "train.py:150 keep > save");
  EXPECT_EQ(PlaceOf("train.py:9 main;torch/dataloader.py:631 __next__;python/selectors.py:415 "
                    "select"),
            "train.py:9 main > __next__");
  EXPECT_EQ(PlaceOf("/a/train.py:9 main;/v/site-packages/torch/utils/data/dataloader.py:631 "
                    "__next__;/usr/lib/python3.11/selectors.py:415 select"),
            "/a/train.py:9 main > __next__");
}

TEST(Place, OfAStackOfLibrariesOnlyIsItsInnermostFrame) {
  EXPECT_EQ(PlaceOf("python/threading.py:3 run;torch/worker.py:88 loop"),
            "torch/worker.py:88 loop");
  EXPECT_EQ(PlaceOf(""), "");
}

TEST(Place, AProgramsFileThatIsNamedLikeALibrarysIsStillTheProgram) {
  EXPECT_EQ(PlaceOf("train.py:3 run;optimizer.py:4 step"), "optimizer.py:4 step");
}

TEST(Place, FramesThatFoundNoRoomAreNoPlace) {
  EXPECT_EQ(PlaceOf("train.py:3 run;...;torch/module.py:9 call"), "train.py:3 run > call");
}

TEST(Places, AddUpStacksOfOnePlace) {
  IdleReport report;
  report.stacks = {{"a.py:1 f;b.py:2 g", 1, 0, 1}, {"c.py:9 h;b.py:2 g", 2, 0, 1}};
  const auto places = Places(report);
  ASSERT_EQ(places.size(), 1U);
  EXPECT_EQ(places[0].place, "b.py:2 g");
  EXPECT_EQ(places[0].idle, 3);
}

}  // namespace
}  // namespace gpusight::diagnose
