// SPDX-License-Identifier: Apache-2.0
#include "tui/history.h"

#include <gtest/gtest.h>

namespace gpusight::tui {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

Frame OneDevice(int64_t seconds, Known<double> utilization) {
  Frame frame;
  frame.time.ns = seconds * kSecond;
  frame.interval_seconds = 1;
  frame.devices.resize(1);
  frame.devices[0].info.uuid = "GPU-a";
  frame.devices[0].fields[DeviceField::kUtilization] = utilization;
  return frame;
}

std::vector<ChartColumn> Utilization(const History& history, int64_t now, int64_t width,
                                     size_t count) {
  DeviceInfo info;
  info.uuid = "GPU-a";
  return history.Find(info, ChartId::kUtilization)->Columns(now, width, count, 0);
}

TEST(History, TheDriversSubSamplesAreKeptOneByOne) {
  History history;
  Frame frame = OneDevice(10, 0.4);
  for (int i = 1; i <= 5; ++i) {
    frame.devices[0].utilization_ring.push_back(
        {WallTime{9 * kSecond + i * kSecond / 5}, i == 2 ? 1.0 : 0.0});
  }
  history.Add(frame);
  const auto columns = Utilization(history, 10 * kSecond, kSecond / 5, 5);
  EXPECT_FLOAT_EQ(columns[0].mean, 0);
  EXPECT_FLOAT_EQ(columns[1].mean, 1);
  EXPECT_FLOAT_EQ(columns[4].mean, 0);
}

TEST(History, WithoutARingTheFramesValueHoldsForItsInterval) {
  History history;
  history.Add(OneDevice(10, 0.4));
  EXPECT_FLOAT_EQ(Utilization(history, 10 * kSecond, kSecond, 1)[0].mean, 0.4f);
}

TEST(History, AFramesValueStandsInUntilTheRingBringsItsSamples) {
  History history;
  history.Add(OneDevice(10, 0.4));
  history.Add(OneDevice(11, 0.5));
  EXPECT_FLOAT_EQ(Utilization(history, 11 * kSecond, kSecond, 1)[0].mean, 0.5f);
  Frame frame = OneDevice(12, 0.6);
  for (int64_t i = 51; i <= 59; ++i) {
    frame.devices[0].utilization_ring.push_back({WallTime{i * kSecond / 5}, 0.9});
  }
  history.Add(frame);  // the ring covers 10.0 s to 11.8 s
  const auto columns = Utilization(history, 12 * kSecond, kSecond / 5, 15);
  EXPECT_FLOAT_EQ(columns[3].mean, 0.4f);   // 9.6 s: before the ring
  EXPECT_FLOAT_EQ(columns[6].mean, 0.9f);   // 10.2 s
  EXPECT_FLOAT_EQ(columns[13].mean, 0.9f);  // 11.6 s
  EXPECT_FLOAT_EQ(columns[14].mean, 0.6f);  // 11.8 s: the frame's own again
}

TEST(History, AMissingValueAddsNothing) {
  History history;
  history.Add(OneDevice(10, Absence::kLost));
  EXPECT_FALSE(Utilization(history, 10 * kSecond, kSecond, 1)[0].known());
}

TEST(History, ADeviceThatMovesToAnotherIndexKeepsItsPast) {
  History history;
  history.Add(OneDevice(10, 0.4));
  Frame frame = OneDevice(11, 0.8);
  frame.devices.insert(frame.devices.begin(), DeviceSample{});
  frame.devices[0].info.uuid = "GPU-new";
  history.Add(frame);
  const auto columns = Utilization(history, 11 * kSecond, kSecond, 2);
  EXPECT_FLOAT_EQ(columns[0].mean, 0.4f);
  EXPECT_FLOAT_EQ(columns[1].mean, 0.8f);
}

TEST(History, PowerIsARatioOfItsLimitAndKeepsItsPeaks) {
  History history;
  Frame frame = OneDevice(10, 0.4);
  frame.devices[0].fields[DeviceField::kPowerLimit] = 700.0;
  for (int64_t i = 49; i >= 0; --i) {
    frame.devices[0].power_ring.push_back(
        {WallTime{10 * kSecond - i * kSecond / 50}, i == 20 ? 700.0 : 70.0});
  }
  history.Add(frame);
  const auto columns =
      history.Find(frame.devices[0].info, ChartId::kPower)->Columns(10 * kSecond, kSecond, 1, 0);
  EXPECT_FLOAT_EQ(columns[0].max, 1.0f);
  EXPECT_LT(columns[0].mean, 0.2f);
}

TEST(History, ADeviceNeverSeenHasNone) {
  EXPECT_EQ(History().Find(DeviceInfo{}, ChartId::kSm), nullptr);
}

}  // namespace
}  // namespace gpusight::tui
