// SPDX-License-Identifier: Apache-2.0
// Numbers over time, in as many pieces as asked for.
#include "record/series.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "record/test_recording.h"
#include "record/test_stream.h"

namespace gpusight::record {
namespace {

class SeriesTest : public testing::Test {
 protected:
  void Make(int frames, const std::function<void(Frame&, size_t)>& change = {}) {
    TestStream stream({.devices = 2, .processes = 2});
    Record(
        folder_.Path(), frames,
        [&](Frame& frame) {
          stream.Next(frame);
          if (change) change(frame, written_.size());
          written_.push_back(frame);
        },
        {}, 20);
    recording_.emplace(std::move(*Recording::Open(folder_.Path(), Language::kEnglish)));
  }

  TestFolder folder_;
  std::vector<Frame> written_;
  std::optional<Recording> recording_;
};

TEST_F(SeriesTest, GivesEachFrameItsPointWhenThereAreEnough) {
  Make(20);
  const DeviceField fields[] = {DeviceField::kPower, DeviceField::kMemoryTotal};

  const auto series = DeviceSeries(*recording_, 1, fields, {}, 100'000);

  ASSERT_EQ(series.size(), 2u);
  ASSERT_EQ(series[0].size(), 20u);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_DOUBLE_EQ(series[0][i].mean, *written_[i].devices[0][DeviceField::kPower]);
    EXPECT_NEAR(static_cast<double>(series[0][i].time.ns - written_[i].time.ns), 0, 2e6);
  }
}

TEST_F(SeriesTest, ReducesToMeanLeastAndMost) {
  Make(100);
  const DeviceField fields[] = {DeviceField::kPower};

  const auto series = DeviceSeries(*recording_, 2, fields, {}, 10);

  ASSERT_EQ(series[0].size(), 10u);
  double sum = 0, least = 1e9, most = 0;
  for (const Frame& frame : written_) {
    const double power = *frame.devices[1][DeviceField::kPower];
    sum += power;
    least = std::min(least, power);
    most = std::max(most, power);
  }
  double mean = 0, low = 1e9, high = 0;
  for (const Point& point : series[0]) {
    mean += point.mean / 10;
    low = std::min(low, point.least);
    high = std::max(high, point.most);
  }
  EXPECT_NEAR(mean, sum / 100, 1);
  EXPECT_EQ(low, least);
  EXPECT_EQ(high, most);
}

TEST_F(SeriesTest, HoldsWhatIsWrittenOnChangeUntilTheNextOne) {
  Make(40, [](Frame& frame, size_t i) {
    frame.devices[0].fields[DeviceField::kPcieWidth] = i < 10 ? 16.0 : 8.0;
    frame.processes[0].uses[0].fields[UseField::kMemory] = i < 30 ? 100.0 : 300.0;
  });
  const DeviceField width[] = {DeviceField::kPcieWidth};
  const UseField memory[] = {UseField::kMemory};

  const auto device = DeviceSeries(*recording_, 1, width, {}, 4);
  const auto use = UseSeries(*recording_, 1, 1, memory, {}, 4);

  ASSERT_EQ(device[0].size(), 4u);
  EXPECT_EQ(device[0][0].most, 16);
  EXPECT_EQ(device[0][3].mean, 8);
  ASSERT_EQ(use[0].size(), 4u);
  EXPECT_EQ(use[0][1].mean, 100);
  EXPECT_NEAR(use[0][3].mean, 300, 20);
}

TEST_F(SeriesTest, LeavesOutPiecesWithoutAValue) {
  Make(40, [](Frame& frame, size_t i) {
    if (i >= 10 && i < 30) frame.devices[0].fields[DeviceField::kSmActivity] = Absence::kLost;
    if (i >= 20) frame.processes.resize(1);
  });
  const DeviceField activity[] = {DeviceField::kSmActivity};
  const ProcessField threads[] = {ProcessField::kThreads, ProcessField::kCpu};

  const auto device = DeviceSeries(*recording_, 1, activity, {}, 4);
  const auto process = ProcessSeries(*recording_, 2, threads, {}, 4);

  EXPECT_EQ(device[0].size(), 2u);
  EXPECT_EQ(process[0].size(), 2u);
  EXPECT_EQ(process[1].size(), 2u);
}

TEST_F(SeriesTest, CutsToTheSpan) {
  Make(40);
  const HostField fields[] = {HostField::kCpu};

  const auto series =
      HostSeries(*recording_, fields, {written_[10].time, written_[20].time}, 100'000);

  ASSERT_EQ(series[0].size(), 10u);
  EXPECT_DOUBLE_EQ(series[0][0].mean, *written_[10].host.fields[HostField::kCpu]);
}

TEST_F(SeriesTest, KnowsContainersFrameworksAndAllocators) {
  Make(20);
  const ContainerField pids[] = {ContainerField::kPidsCurrent};
  const FrameworkField time[] = {FrameworkField::kStepTime};
  const AllocatorField reserved[] = {AllocatorField::kReserved};

  EXPECT_EQ(ContainerSeries(*recording_, 1, pids, {}, 5)[0].size(), 5u);
  EXPECT_EQ(FrameworkSeries(*recording_, 1, time, {}, 5)[0].size(), 5u);
  EXPECT_EQ(AllocatorSeries(*recording_, 1, 0, reserved, {}, 5)[0].size(), 5u);
  EXPECT_TRUE(AllocatorSeries(*recording_, 1, 5, reserved, {}, 5)[0].empty());
}

TEST_F(SeriesTest, GivesTheDriversOwnSamples) {
  Make(20);
  const Span span{written_[5].time, written_[10].time};

  const auto utilization = SubSamples(*recording_, 1, RingField::kUtilization, span);
  const auto power = SubSamples(*recording_, 2, RingField::kPower, span);
  const auto none = SubSamples(*recording_, 1, RingField::kMemoryActivity, span);

  EXPECT_NEAR(static_cast<double>(utilization.size()), 25, 1);
  EXPECT_NEAR(static_cast<double>(power.size()), 250, 2);
  EXPECT_TRUE(none.empty());
  EXPECT_TRUE(std::is_sorted(power.begin(), power.end(),
                             [](const auto& a, const auto& b) { return a.time < b.time; }));
}

}  // namespace
}  // namespace gpusight::record
