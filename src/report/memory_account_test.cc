// SPDX-License-Identifier: Apache-2.0
#include "report/memory_account.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gpusight::report {
namespace {

constexpr int64_t kBegin = 1'775'383'200'000'000'000;
constexpr double kMiBytes = 1024.0 * 1024;

WallTime At(double seconds) { return {kBegin + static_cast<int64_t>(seconds * 1e9)}; }

// total 1000, driver reserved 50, the rest used or free.
DeviceSample Device(double used) {
  DeviceSample device;
  device.fields[DeviceField::kMemoryTotal] = 1000 * kMiBytes;
  device.fields[DeviceField::kMemoryDriverReserved] = 50 * kMiBytes;
  device.fields[DeviceField::kMemoryUsed] = used * kMiBytes;
  device.fields[DeviceField::kMemoryFree] = (950 - used) * kMiBytes;
  device.process_count = 1.0;
  return device;
}

AllocatorSample Allocator(double allocated, double split, double reserved) {
  AllocatorSample allocator;
  allocator.fields[AllocatorField::kAllocated] = allocated * kMiBytes;
  allocator.fields[AllocatorField::kReserved] = reserved * kMiBytes;
  if (split >= 0) allocator.fields[AllocatorField::kInactiveSplit] = split * kMiBytes;
  return allocator;
}

double Sum(const MemoryReport& report, size_t at) {
  double sum = 0;
  for (const Layer& layer : report.layers) sum += layer.bytes[at];
  return sum;
}

const Layer* Find(const MemoryReport& report, LayerKind kind, int process = -1) {
  for (const Layer& layer : report.layers) {
    if (layer.kind == kind && layer.process == process) return &layer;
  }
  return nullptr;
}

TEST(MemoryAccount, TheLayersAddUpToTheTotalToTheByte) {
  const Grid grid = GridOver({At(0), At(100)});
  MemoryBuilder builder(grid);
  const AllocatorSample allocator = Allocator(200, 30, 260);
  for (int i = 1; i <= 100; ++i) {
    builder.AddProcess(0, 300 * kMiBytes, &allocator);
    builder.AddProcess(1, 40 * kMiBytes, nullptr);
    builder.Add({At(i), 1}, Device(400));
  }
  const MemoryReport report = builder.Take();
  const size_t at = grid.At(At(50));
  EXPECT_EQ(Sum(report, at), report.total[at]);
  EXPECT_EQ(Find(report, LayerKind::kAllocated, 0)->bytes[at], 200 * kMiBytes);
  EXPECT_EQ(Find(report, LayerKind::kInactiveSplit, 0)->bytes[at], 30 * kMiBytes);
  EXPECT_EQ(Find(report, LayerKind::kOtherCached, 0)->bytes[at], 30 * kMiBytes);
  EXPECT_EQ(Find(report, LayerKind::kOutside, 0)->bytes[at], 40 * kMiBytes);
  EXPECT_EQ(Find(report, LayerKind::kProcess, 1)->bytes[at], 40 * kMiBytes);
  EXPECT_EQ(Find(report, LayerKind::kResidual)->bytes[at], 60 * kMiBytes);
  EXPECT_EQ(report.unbalanced_pieces, 0U);
}

TEST(MemoryAccount, APieceShowsTheFrameInWhichMostWasUsed) {
  const Grid grid = GridOver({At(0), At(4000)});  // pieces of 5 s
  MemoryBuilder builder(grid);
  for (int i = 1; i <= 4000; ++i) {
    builder.AddProcess(0, (i == 1233 ? 900 : 100) * kMiBytes, nullptr);
    builder.Add({At(i), 1}, Device(i == 1233 ? 900 : 100));
  }
  const MemoryReport report = builder.Take();
  const size_t at = grid.At(At(1233));
  EXPECT_EQ(Find(report, LayerKind::kProcess, 0)->bytes[at], 900 * kMiBytes);
  EXPECT_EQ(report.peak_used, Known<double>(900 * kMiBytes));
  EXPECT_EQ(report.peak_at, At(1233));
  EXPECT_EQ(Find(report, LayerKind::kProcess, 0)->at_peak, 900 * kMiBytes);
}

TEST(MemoryAccount, OfEqualPeaksTheLastShowsTheAllocator) {
  // The process already held all of it when its allocator was last read.
  const Grid grid = GridOver({At(0), At(10)});
  MemoryBuilder builder(grid);
  for (int i = 1; i <= 5; ++i) {
    AllocatorSample allocator;
    allocator.fields[AllocatorField::kAllocated] = (i < 3 ? 50 : 700) * kMiBytes;
    allocator.fields[AllocatorField::kReserved] = (i < 3 ? 50 : 800) * kMiBytes;
    builder.AddProcess(0, 900 * kMiBytes, &allocator);
    builder.Add({At(i), 1}, Device(900));
  }
  const MemoryReport report = builder.Take();
  EXPECT_EQ(report.peak_at, At(5));
  EXPECT_EQ(Find(report, LayerKind::kAllocated, 0)->at_peak, 700 * kMiBytes);
}

TEST(MemoryAccount, WithoutASplitTheCacheIsOneLayer) {
  const Grid grid = GridOver({At(0), At(10)});
  MemoryBuilder builder(grid);
  const AllocatorSample allocator = Allocator(200, -1, 260);
  builder.AddProcess(0, 300 * kMiBytes, &allocator);
  builder.Add({At(1), 1}, Device(400));
  const MemoryReport report = builder.Take();
  const size_t at = grid.At(At(1));
  EXPECT_EQ(Find(report, LayerKind::kCached, 0)->bytes[at], 60 * kMiBytes);
  EXPECT_EQ(Find(report, LayerKind::kInactiveSplit, 0), nullptr);
  EXPECT_EQ(Sum(report, at), report.total[at]);
}

TEST(MemoryAccount, ManyProcessesAreShownTogether) {
  const Grid grid = GridOver({At(0), At(10)});
  MemoryBuilder builder(grid, 2);
  for (int p = 0; p < 100; ++p) builder.AddProcess(p, (p + 1.0) * 1024, nullptr);
  builder.Add({At(1), 1}, Device(500));
  const MemoryReport report = builder.Take();
  const size_t at = grid.At(At(1));
  EXPECT_EQ(Sum(report, at), report.total[at]);
  const Layer* others = Find(report, LayerKind::kOtherProcesses);
  ASSERT_NE(others, nullptr);
  double apart = 0;
  for (const Layer& l : report.layers) apart += l.kind == LayerKind::kProcess ? l.bytes[at] : 0;
  EXPECT_EQ(apart + others->bytes[at], 5050 * 1024);
}

TEST(MemoryAccount, AProcessWhoseShareIsNotKnownIsSaid) {
  const Grid grid = GridOver({At(0), At(10)});
  MemoryBuilder builder(grid);
  builder.AddProcess(0, Absence::kNoPermission, nullptr);
  builder.Add({At(1), 1}, Device(500));
  const MemoryReport report = builder.Take();
  EXPECT_GE(report.incomplete_pieces, 1U);
  EXPECT_EQ(report.incomplete.why, Absence::kNoPermission);
}

TEST(MemoryAccount, WithoutNumbersOfTheDeviceItSaysWhy) {
  const Grid grid = GridOver({At(0), At(10)});
  MemoryBuilder builder(grid);
  DeviceSample device = Device(100);
  device.fields[DeviceField::kMemoryUsed] = Absence::kUnderMig;
  builder.Add({At(1), 1}, device);
  const MemoryReport report = builder.Take();
  ASSERT_FALSE(report.peak_used.known());
  EXPECT_EQ(report.peak_used.missing().why, Absence::kUnderMig);
  EXPECT_TRUE(report.layers.empty());
}

TEST(MemoryAccount, AMergedFrameFillsThePiecesThatItSpeaksFor) {
  const Grid grid = GridOver({At(0), At(300)});
  MemoryBuilder builder(grid);
  builder.Add({At(60), 60}, Device(100));
  builder.Add({At(61), 1}, Device(200));
  const MemoryReport report = builder.Take();
  EXPECT_EQ(report.total[grid.At(At(5))], 1000 * kMiBytes);
  EXPECT_EQ(Find(report, LayerKind::kResidual)->bytes[grid.At(At(5))], 100 * kMiBytes);
  EXPECT_EQ(Find(report, LayerKind::kResidual)->bytes[grid.At(At(60.5))], 100 * kMiBytes);
  EXPECT_EQ(Find(report, LayerKind::kResidual)->bytes[grid.At(At(61))], 200 * kMiBytes);
}

TEST(MemoryAccount, MeansOfMergedFramesAddUpToTheByte) {
  const Grid grid = GridOver({At(0), At(10)});
  MemoryBuilder builder(grid);
  DeviceSample device = Device(100);
  device.fields[DeviceField::kMemoryUsed] = *device[DeviceField::kMemoryUsed] + 0.5;
  device.fields[DeviceField::kMemoryFree] = *device[DeviceField::kMemoryFree] - 0.5;
  builder.AddProcess(0, 50 * kMiBytes + 0.25, nullptr);
  builder.Add({At(1), 1}, device);
  const MemoryReport report = builder.Take();
  EXPECT_EQ(Sum(report, grid.At(At(1))), report.total[grid.At(At(1))]);
  EXPECT_EQ(report.unbalanced_pieces, 0U);
}

TEST(MemoryAccount, AHigherPeakOfAMergedFrameIsSaid) {
  const Grid grid = GridOver({At(0), At(10)});
  MemoryBuilder builder(grid);
  builder.Add({At(1), 1}, Device(100));
  builder.AddMost(300 * kMiBytes);
  EXPECT_EQ(builder.Take().unaccounted_peak, 300 * kMiBytes);
}

TEST(MemoryAccount, WhereNothingWasSampledThereIsNoAccount) {
  const Grid grid = GridOver({At(0), At(100)});
  MemoryBuilder builder(grid);
  builder.Add({At(1), 1}, Device(100));
  const MemoryReport report = builder.Take();
  EXPECT_TRUE(std::isnan(report.total[grid.At(At(50))]));
  EXPECT_TRUE(std::isnan(report.layers[0].bytes[grid.At(At(50))]));
}

TEST(MemoryAccount, NumbersOfTheDriverThatDoNotAddUpAreCounted) {
  const Grid grid = GridOver({At(0), At(10)});
  MemoryBuilder builder(grid);
  DeviceSample device = Device(100);
  device.fields[DeviceField::kMemoryFree] = 1.0;
  builder.Add({At(1), 1}, device);
  EXPECT_GE(builder.Take().unbalanced_pieces, 1U);
}

}  // namespace
}  // namespace gpusight::report
