// SPDX-License-Identifier: Apache-2.0
#include "model/device_key.h"

#include <gtest/gtest.h>

namespace gpusight {
namespace {

DeviceInfo Card(int index, const char* uuid = "") {
  DeviceInfo info;
  info.index = index;
  info.uuid = uuid;
  return info;
}

TEST(DeviceKey, IsTheUuidWhereverTheDeviceIs) {
  EXPECT_TRUE(SameDevice(Card(0, "GPU-1"), Card(3, "GPU-1")));
  EXPECT_FALSE(SameDevice(Card(0, "GPU-1"), Card(0, "GPU-2")));
  EXPECT_TRUE(HasKey(Card(3, "GPU-1"), DeviceKey(Card(0, "GPU-1"))));
}

TEST(DeviceKey, TellsDevicesWithoutUuidApart) {
  EXPECT_FALSE(SameDevice(Card(0), Card(1)));
  EXPECT_TRUE(SameDevice(Card(1), Card(1)));
  EXPECT_FALSE(SameDevice(Card(1), Card(1, "GPU-1")));
  EXPECT_FALSE(HasKey(Card(1), DeviceKey(Card(0))));
  EXPECT_TRUE(HasKey(Card(1), DeviceKey(Card(1))));
}

TEST(DeviceKey, TellsInstancesWithoutUuidApart) {
  DeviceInfo one = Card(0), two = Card(0);
  one.gpu_instance = two.gpu_instance = 7;
  one.compute_instance = 0;
  two.compute_instance = 1;
  EXPECT_FALSE(SameDevice(one, two));
  EXPECT_NE(DeviceKey(one), DeviceKey(two));
  EXPECT_NE(DeviceKey(one), DeviceKey(Card(0)));
}

}  // namespace
}  // namespace gpusight
