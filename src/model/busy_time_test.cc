// SPDX-License-Identifier: Apache-2.0
#include "model/busy_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gpusight {
namespace {

constexpr int64_t kBegin = 1'796'000'000'000'000'000;

WallTime After(double seconds) { return {kBegin + static_cast<int64_t>(seconds * 1e9)}; }

struct BusyTimeTest : testing::Test {
  // A frame of a second, `seconds` after the begin. Its own look says `now`.
  void Frame(double at, Known<double> now, double seconds = 1) {
    DeviceSample device;
    device.fields[DeviceField::kUtilization] = now;
    device.fields[DeviceField::kUtilizationMean] = Known<double>(0.0);  // of the last lot
    device.utilization_ring.swap(ring);
    busy.Add(device, After(at), seconds, pieces);
  }
  // Samples every 0.2 s after `from` up to `to`.
  void Samples(double from, double to, double value) {
    for (double t = from + 0.2; t < to + 0.1; t += 0.2) ring.push_back({After(t), value});
  }
  double Seconds() {
    double sum = 0;
    for (const BusyPiece& piece : All()) sum += piece.ratio ? piece.seconds : 0;
    return sum;
  }
  double Mean() {
    double sum = 0;
    for (const BusyPiece& piece : All()) sum += piece.ratio.value_or(0) * piece.seconds;
    return sum / Seconds();
  }
  std::vector<BusyPiece> All() {
    std::vector<BusyPiece> all = pieces;
    busy.Rest(all);
    return all;
  }
  BusyTime busy;
  std::vector<SubSample> ring;
  std::vector<BusyPiece> pieces;
};

TEST_F(BusyTimeTest, ALotOfSamplesCountsAtItsOwnTimesAndOnce) {
  for (int t = 1; t < 13; ++t) Frame(t, 1.0);
  Samples(0, 10, 0.0);
  Samples(10, 13, 0.5);
  Frame(13, 1.0);
  EXPECT_NEAR(Seconds(), 13, 1e-6);
  EXPECT_NEAR(Mean(), 3 * 0.5 / 13, 1e-6);
}

TEST_F(BusyTimeTest, FramesSpeakForWhatNoSampleHasReachedYet) {
  Samples(0, 1, 0.0);
  Frame(1, 1.0);
  for (int t = 2; t <= 4; ++t) Frame(t, 1.0);
  EXPECT_NEAR(Seconds(), 4, 1e-6);
  EXPECT_NEAR(Mean(), 0.75, 1e-6);
}

TEST_F(BusyTimeTest, FramesSpeakForADeviceWhoseDriverKeepsNoSamples) {
  for (int t = 1; t <= 100; ++t) Frame(t, t <= 50 ? 1.0 : 0.0);
  EXPECT_GE(pieces.size(), 79U) << "those that wait in vain are given out";
  EXPECT_NEAR(Seconds(), 100, 1e-6);
  EXPECT_NEAR(Mean(), 0.5, 1e-6);
}

TEST_F(BusyTimeTest, AFrameBeforeTheFirstSampleCountsForItself) {
  Frame(1, 1.0);
  Samples(1, 2, 0.0);
  Frame(2, 1.0);
  EXPECT_NEAR(Seconds(), 2, 1e-6);
  EXPECT_NEAR(Mean(), 0.5, 1e-6);
}

TEST_F(BusyTimeTest, TheSameLotAgainAddsNothing) {
  Samples(0, 1, 0.5);
  const auto same = ring;
  Frame(1, 1.0);
  ring = same;
  Frame(2, 0.5);
  EXPECT_NEAR(Seconds(), 2, 1e-6);
  EXPECT_NEAR(Mean(), 0.5, 1e-6);
}

TEST_F(BusyTimeTest, AMergedFrameSpeaksForItselfAtOnce) {
  DeviceSample device;
  device.fields[DeviceField::kUtilization] = 1.0;
  device.fields[DeviceField::kUtilizationMean] = 0.25;
  busy.Add(device, After(60), 60, pieces);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].seconds, 60);
  EXPECT_EQ(pieces[0].ratio, 0.25);
}

TEST_F(BusyTimeTest, SamplesCountAgainAfterTheClockWasSetBack) {
  Samples(999, 1000, 1.0);
  Frame(1000, 1.0);
  Samples(0, 1, 0.0);
  Frame(1, 0.0);
  EXPECT_NEAR(Seconds(), 2, 0.3);
  EXPECT_NEAR(Mean(), 0.5, 0.1);
}

TEST_F(BusyTimeTest, AMissingUtilisationKeepsItsReason) {
  DeviceSample device;
  device.fields.Fill({Absence::kLost, 0});
  busy.Add(device, After(1), 1, pieces);
  ASSERT_EQ(All().size(), 1U);
  EXPECT_FALSE(All()[0].ratio.known());
}

TEST_F(BusyTimeTest, NonsenseIsLeftOutAndNothingGrows) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < 10'000; ++i) {
    ring = {{{-most}, 1}, {{most}, 1}, {After(1), std::nan("")}};
    Frame(1, 1.0, std::nan(""));
    Frame(1, 1.0, -5);
  }
  EXPECT_TRUE(All().empty());
  for (int i = 0; i < 10'000; ++i) Frame(1, 1.0, 1e-3);
  std::vector<BusyPiece> rest;
  busy.Rest(rest);
  EXPECT_LE(rest.size(), 1000U);
}

}  // namespace
}  // namespace gpusight
