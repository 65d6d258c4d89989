// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/rings.h"

#include <gtest/gtest.h>

namespace gpusight::nvml {
namespace {

constexpr uint64_t kNow = 1'796'038'667'000'000;

nvml::Sample SampleAt(uint64_t time_us, uint32_t value) {
  nvml::Sample sample{time_us, {}};
  sample.value.u64 = 0xa67f'0000'0000'0000ULL;  // the driver leaves rubbish in the upper bytes
  sample.value.u32 = value;
  return sample;
}

struct RingTest : testing::Test {
  Ring ring{kGpuUtilizationSamples, 0.01, 1.0, 200'000};
  uint64_t rejected = 0;
  std::vector<SubSample> out;
};

TEST_F(RingTest, GivesSamplesInTheirUnitWithMeanMaximumAndIdleShare) {
  const nvml::Sample samples[] = {SampleAt(kNow - 600'000, 0), SampleAt(kNow - 400'000, 50),
                                  SampleAt(kNow - 200'000, 100), SampleAt(kNow, 0)};
  ring.Take(samples, kUnsignedInt, kNow, rejected);
  const RingStats stats = ring.Give(out);
  ASSERT_EQ(out.size(), 4u);
  EXPECT_DOUBLE_EQ(out[1].value, 0.5);
  EXPECT_EQ(out[3].time.ns, static_cast<int64_t>(kNow) * 1000);
  EXPECT_DOUBLE_EQ(stats.mean(), 0.375);
  EXPECT_DOUBLE_EQ(stats.max, 1.0);
  EXPECT_DOUBLE_EQ(stats.idle_share(), 0.5);
}

TEST_F(RingTest, GivesEverySampleOnce) {
  const nvml::Sample samples[] = {SampleAt(kNow, 50)};
  ring.Take(samples, kUnsignedInt, kNow, rejected);
  EXPECT_EQ(ring.Give(out).count, 1u);
  ring.Take(samples, kUnsignedInt, kNow, rejected);
  EXPECT_EQ(ring.Give(out).count, 0u);
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(rejected, 0u);
}

TEST_F(RingTest, DropsASampleThatTheClockMovedALittle) {
  const nvml::Sample before[] = {SampleAt(kNow, 50)};
  const nvml::Sample after[] = {SampleAt(kNow + 440, 50), SampleAt(kNow + 200'440, 60)};
  ring.Take(before, kUnsignedInt, kNow, rejected);
  (void)ring.Give(out);
  ring.Take(after, kUnsignedInt, kNow + 300'000, rejected);
  EXPECT_EQ(ring.Give(out).count, 1u);
  EXPECT_DOUBLE_EQ(out[0].value, 0.6);
}

TEST_F(RingTest, RejectsSamplesThatCannotBe) {
  const nvml::Sample samples[] = {SampleAt(0, 50), SampleAt(kNow - 200'000, 37100),
                                  SampleAt(kNow + 60'000'000, 50), SampleAt(kNow, 7)};
  ring.Take(samples, kUnsignedInt, kNow, rejected);
  EXPECT_EQ(rejected, 3u);
  EXPECT_EQ(ring.Give(out).count, 1u);
}

TEST_F(RingTest, BoundsItsMemoryButNotItsStatistics) {
  std::vector<nvml::Sample> samples;
  const size_t n = Ring::kMostWaiting + 1000;
  for (size_t i = 0; i < n; ++i) {
    samples.push_back(SampleAt(kNow + i * 200'000, i == 0 ? 100 : 50));
  }
  ring.Take(samples, kUnsignedInt, kNow + n * 200'000, rejected);
  const RingStats stats = ring.Give(out);
  EXPECT_EQ(stats.count, n);
  EXPECT_DOUBLE_EQ(stats.max, 1.0);
  EXPECT_LE(out.size(), Ring::kMostWaiting);
  EXPECT_EQ(out.back().time.ns, static_cast<int64_t>(kNow + (n - 1) * 200'000) * 1000);
}

}  // namespace
}  // namespace gpusight::nvml
