// SPDX-License-Identifier: Apache-2.0
#include "model/energy.h"

#include <gtest/gtest.h>

namespace gpusight {
namespace {

DeviceSample Sample(Known<double> watts, Known<double> counter) {
  DeviceSample sample;
  sample.fields[DeviceField::kPowerMean] = watts;
  sample.fields[DeviceField::kEnergy] = counter;
  return sample;
}

constexpr Absence kNo = Absence::kNotSupported;

TEST(Energy, IsPowerOverTimeWithoutACounter) {
  EnergyMeter meter;
  meter.Add(Sample(100.0, kNo), 1);
  meter.Add(Sample(300.0, kNo), 2);
  EXPECT_EQ(meter.joules(), 700);
  EXPECT_NEAR(*meter.mean_watts(), 700.0 / 3, 1e-9);
  EXPECT_FALSE(meter.counted());
  DeviceSample plain;
  plain.fields[DeviceField::kPower] = 50.0;
  meter.Add(plain, 2);
  EXPECT_EQ(meter.joules(), 800) << "a look stands for the mean where there is none";
}

TEST(Energy, IsTheCountersBetweenItsChangesAndPowerAtBothEnds) {
  EnergyMeter meter;
  // It is read every third second, and what it said first is of an unknown moment.
  meter.Add(Sample(100.0, 5000.0), 1);
  meter.Add(Sample(100.0, 5000.0), 1);
  meter.Add(Sample(100.0, 5400.0), 1);  // 300 J by power
  meter.Add(Sample(100.0, 5400.0), 1);
  meter.Add(Sample(100.0, 5400.0), 1);
  meter.Add(Sample(100.0, 5730.0), 1);  // 330 J by the counter
  meter.Add(Sample(100.0, 5730.0), 1);  // 100 J by power
  EXPECT_EQ(meter.joules(), 300 + 330 + 100);
  EXPECT_NEAR(*meter.mean_watts(), 730.0 / 7, 1e-9);
}

TEST(Energy, HasACounterThatStandsStillForNone) {
  EnergyMeter meter;
  for (int i = 0; i < 10; ++i) meter.Add(Sample(100.0, 7.0), 1);
  EXPECT_EQ(meter.joules(), 1000);
  EXPECT_FALSE(meter.counted());
}

TEST(Energy, CountsOverHolesInPower) {
  EnergyMeter meter;
  meter.Add(Sample(100.0, 1000.0), 1);
  meter.Add(Sample(100.0, 1100.0), 1);
  meter.Add(Sample(kNo, 1100.0), 1);
  meter.Add(Sample(kNo, 1400.0), 1);
  EXPECT_EQ(meter.joules(), 200 + 300);
  EXPECT_TRUE(meter.counted());
}

TEST(Energy, OfACounterAloneIsItsGrowth) {
  EnergyMeter meter;
  meter.Add(Sample(kNo, 1000.0), 1);
  EXPECT_EQ(meter.joules().missing().why, Absence::kNotSampledYet);
  meter.Add(Sample(kNo, 1300.0), 3);
  EXPECT_EQ(meter.joules(), 300);
}

TEST(Energy, BearsADriverThatIsLoadedAnew) {
  EnergyMeter meter;
  meter.Add(Sample(100.0, 5000.0), 1);
  meter.Add(Sample(100.0, 5100.0), 1);
  meter.Add(Sample(100.0, 40.0), 1);
  meter.Add(Sample(100.0, 140.0), 1);
  EXPECT_EQ(meter.joules(), 200 + 100 + 100);
}

TEST(Energy, RestartsWithoutWhatWasBefore) {
  EnergyMeter meter;
  meter.Add(Sample(100.0, 5000.0), 1);
  meter.Add(Sample(100.0, 5100.0), 1);
  meter.Restart();
  meter.Add(Sample(200.0, 5700.0), 1);  // some of it is of before
  meter.Add(Sample(200.0, 5900.0), 1);
  EXPECT_EQ(meter.joules(), 200 + 200);
  EnergyMeter fresh;
  fresh.Restart();
  EXPECT_FALSE(fresh.joules());
}

TEST(Energy, SaysWhyItIsNotKnown) {
  EnergyMeter meter;
  EXPECT_EQ(meter.joules().missing().why, Absence::kNotSampledYet);
  DeviceSample denied = Sample(kNo, kNo);
  denied.fields[DeviceField::kPower] = Absence::kNoPermission;
  meter.Add(denied, 1);
  EXPECT_EQ(meter.joules().missing().why, Absence::kNoPermission);
  EXPECT_FALSE(meter.mean_watts());
}

}  // namespace
}  // namespace gpusight
