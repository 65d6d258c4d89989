// SPDX-License-Identifier: Apache-2.0
#include "cli/schedule.h"

#include <gmock/gmock.h>

#include <deque>
#include <vector>

#include "testing/fake_clock.h"

namespace gpusight::cli {
namespace {

using ::testing::ElementsAre;

constexpr int64_t kMs = 1'000'000;

// Moves the clock to each deadline, or delivers the next wake in the list first.
class FakeWaiter : public Waiter {
 public:
  explicit FakeWaiter(FakeClock& clock) : clock_(clock) {}
  Wake WaitUntil(MonoTime deadline) override {
    if (!wakes.empty()) {
      const Wake wake = wakes.front();
      wakes.pop_front();
      if (wake != Wake::kDeadline) return wake;
    }
    if (deadline > clock_.Mono()) {
      clock_.Advance(static_cast<double>(deadline - clock_.Mono()) * 1e-9);
    }
    return Wake::kDeadline;
  }
  std::deque<Wake> wakes;

 private:
  FakeClock& clock_;
};

class RunScheduleTest : public ::testing::Test {
 protected:
  // Runs and returns the milliseconds after the start at which samples were planned.
  std::vector<int64_t> Run(const Schedule& schedule, double cost_seconds = 0) {
    const MonoTime start = clock.Mono();
    bool told_last = false;
    std::vector<int64_t> at;
    const auto result = RunSchedule(
        schedule, clock, waiter,
        [&](MonoTime planned, bool last) -> Result<bool> {
          EXPECT_FALSE(told_last);
          told_last = last;
          at.push_back((planned - start) / kMs);
          clock.Advance(cost_seconds);
          return true;
        },
        [&] { ++hang_ups; });
    EXPECT_TRUE(result);
    stopped = result.value_or(false);
    EXPECT_TRUE(told_last || stopped);
    return at;
  }
  FakeClock clock;
  FakeWaiter waiter{clock};
  int hang_ups = 0;
  bool stopped = false;
};

TEST_F(RunScheduleTest, SamplesAtOnceAndThenAtMultiplesOfTheInterval) {
  EXPECT_THAT(Run({.interval = 5, .count = 3}), ElementsAre(0, 5000, 10000));
  EXPECT_FALSE(stopped);
}

TEST_F(RunScheduleTest, DoesNotDriftByWhatASampleCosts) {
  EXPECT_THAT(Run({.interval = 1, .count = 4}, 0.3), ElementsAre(0, 1000, 2000, 3000));
}

TEST_F(RunScheduleTest, SkipsTheDeadlinesThatASlowSampleMissed) {
  EXPECT_THAT(Run({.interval = 1, .count = 3}, 2.5), ElementsAre(0, 3000, 6000));
}

TEST_F(RunScheduleTest, EndsAfterTheGivenTimeWithTheSampleDueThen) {
  EXPECT_THAT(Run({.interval = 5, .for_seconds = 10}), ElementsAre(0, 5000, 10000));
  EXPECT_THAT(Run({.interval = 5, .for_seconds = 12}), ElementsAre(0, 5000, 10000));
}

TEST_F(RunScheduleTest, StopsAtASignalWithoutAnotherSample) {
  waiter.wakes = {Wake::kDeadline, Wake::kStop};
  EXPECT_THAT(Run({.interval = 1}), ElementsAre(0));
  EXPECT_TRUE(stopped);
}

TEST_F(RunScheduleTest, ReopensAtAHangUpAndKeepsTheDeadline) {
  waiter.wakes = {Wake::kDeadline, Wake::kHangUp, Wake::kHangUp};
  EXPECT_THAT(Run({.interval = 1, .count = 2}), ElementsAre(0, 1000));
  EXPECT_EQ(hang_ups, 2);
}

TEST_F(RunScheduleTest, EndsAtAHangUpThatHasNoMeaning) {
  waiter.wakes = {Wake::kDeadline, Wake::kHangUp};
  int taken = 0;
  const auto ended = RunSchedule(
      {.interval = 1}, clock, waiter,
      [&](MonoTime, bool) -> Result<bool> {
        ++taken;
        return true;
      },
      nullptr);
  EXPECT_EQ(taken, 1);
  EXPECT_TRUE(ended.value_or(false));
}

}  // namespace
}  // namespace gpusight::cli
