// SPDX-License-Identifier: Apache-2.0
// Coded samples: what goes in comes out, in few bytes, and nothing malformed harms.
#include "record/samples.h"

#include <gtest/gtest.h>

#include <random>

namespace gpusight::record {
namespace {

constexpr WallTime kFrame{1'775'383'200'123'456'789};

std::vector<SubSample> Ring(int count, int64_t spacing_ms, double value) {
  std::vector<SubSample> ring;
  for (int i = 0; i < count; ++i) {
    ring.push_back({{kFrame.ns - (count - i) * spacing_ms * 1'000'000}, value + i % 3});
  }
  return ring;
}

TEST(Samples, ComeOutAsTheyWentInToTheMillisecond) {
  const auto ring = Ring(50, 20, 585.3);
  std::string bytes;
  std::vector<SubSample> read;

  EncodeSamples(ring, kFrame, kPowerUnit, bytes);

  ASSERT_TRUE(DecodeSamples(bytes, kFrame, kPowerUnit, read));
  ASSERT_EQ(read.size(), ring.size());
  for (size_t i = 0; i < ring.size(); ++i) {
    EXPECT_EQ(read[i].time.ns / 1'000'000, ring[i].time.ns / 1'000'000);
    EXPECT_NEAR(read[i].value, ring[i].value, kPowerUnit / 2 + 1e-9);
  }
}

TEST(Samples, TakeLittleMoreThanAByteEach) {
  std::string power, utilization;

  EncodeSamples(Ring(50, 20, 585.3), kFrame, kPowerUnit, power);
  EncodeSamples(Ring(5, 200, 1), kFrame, kRatioUnit, utilization);

  EXPECT_LE(power.size(), 75u);
  EXPECT_LE(utilization.size(), 20u);
}

TEST(Samples, MayBeNewerThanTheirFrameAndGoBack) {
  const std::vector<SubSample> ring = {
      {{kFrame.ns + 5'000'000}, 1}, {{kFrame.ns - 7'000'000}, 0}, {{kFrame.ns}, 0.5}};
  std::string bytes;
  std::vector<SubSample> read;

  EncodeSamples(ring, kFrame, kRatioUnit, bytes);

  ASSERT_TRUE(DecodeSamples(bytes, kFrame, kRatioUnit, read));
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[1].time.ns / 1'000'000, ring[1].time.ns / 1'000'000);
  EXPECT_DOUBLE_EQ(read[2].value, 0.5);
}

TEST(Samples, NoneAreNoBytes) {
  std::string bytes;
  std::vector<SubSample> read = {{kFrame, 1}};

  EncodeSamples({}, kFrame, kRatioUnit, bytes);

  EXPECT_TRUE(bytes.empty());
  EXPECT_TRUE(DecodeSamples(bytes, kFrame, kRatioUnit, read));
  EXPECT_TRUE(read.empty());
}

TEST(Samples, ThatAreCutAreRefusedAndKeepWhatWasGood) {
  std::string bytes;
  std::vector<SubSample> read;
  EncodeSamples(Ring(50, 20, 585.3), kFrame, kPowerUnit, bytes);

  EXPECT_FALSE(DecodeSamples(bytes.substr(0, bytes.size() - 1), kFrame, kPowerUnit, read));
  EXPECT_EQ(read.size(), 49u);
  EXPECT_FALSE(DecodeSamples(bytes + "x", kFrame, kPowerUnit, read));
}

TEST(Samples, ThatAreNoiseHarmNobody) {
  std::mt19937 random(7);
  std::vector<SubSample> read;
  std::vector<WallTime> times;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 30, 0);
    for (char& c : bytes) c = static_cast<char>(random());
    const WallTime frame{static_cast<int64_t>(random()) << (random() % 32)};
    DecodeSamples(bytes, frame, kPowerUnit, read);
    DecodeTimes(bytes, frame, times);
  }
}

TEST(Times, ComeOutAsTheyWentIn) {
  const std::vector<WallTime> times = {
      {kFrame.ns - 950'000'000}, {kFrame.ns - 900'000'000}, kFrame};
  std::string bytes;
  std::vector<WallTime> read;

  EncodeTimes(times, kFrame, bytes);

  ASSERT_TRUE(DecodeTimes(bytes, kFrame, read));
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[1].ns / 1'000'000, times[1].ns / 1'000'000);
  EXPECT_LE(bytes.size(), 7u);
}

}  // namespace
}  // namespace gpusight::record
