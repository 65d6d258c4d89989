// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/sleep_state.h"

#include <gtest/gtest.h>

namespace gpusight::nvml {
namespace {

TEST(SleepState, PciIdsAreWrittenAsTheKernelDoes) {
  EXPECT_EQ(KernelPciId("00000000:0A:00.0"), "0000:0a:00.0");
  EXPECT_EQ(KernelPciId("00010000:01:00.0"), "0000:01:00.0");
  EXPECT_EQ(KernelPciId("0000:01:00.0"), "0000:01:00.0");
  EXPECT_EQ(KernelPciId(""), "");
}

// From an H200, driver 580.159.04, identifiers replaced; the white space is the kernel's.
TEST(SleepState, TheKernelsInformationFileIsRead) {
  DeviceInfo info;
  ParseKernelInformation(
      "Model: \t\t NVIDIA H200\nIRQ:   \t\t 41\n"
      "GPU UUID: \t GPU-00000000-1111-2222-3333-444444444444\nVideo BIOS: \t 96.00.a5.00.1a\n"
      "Bus Type: \t PCIe\nDMA Size: \t 52 bits\nDMA Mask: \t 0xfffffffffffff\n"
      "Bus Location: \t 0000:00:06.0\nDevice Minor: \t 0\nGPU Firmware: \t 580.159.04\n"
      "GPU Excluded:\t No\n",
      info);
  EXPECT_EQ(info.name, "NVIDIA H200");
  EXPECT_EQ(info.uuid, "GPU-00000000-1111-2222-3333-444444444444");
  EXPECT_EQ(info.vbios, "96.00.a5.00.1a");
  EXPECT_EQ(info.pci_bus_id, "00000000:00:06.0");
  EXPECT_EQ(info.minor, 0);
}

TEST(SleepState, WhatTheDriverHasNotReadYetIsLeftOut) {
  DeviceInfo info;
  ParseKernelInformation(
      "Model: \t\t Unknown\nGPU UUID: \t GPU-???????\?-"
      "???\?-"
      "???\?-"
      "???\?-"
      "????????????\n"
      "Video BIOS: \t ??.??.??.??.??\nBus Location: \t 0000:01:00.0\nDevice Minor: \t 1\n",
      info);
  EXPECT_EQ(info.uuid, "");
  EXPECT_EQ(info.vbios, "");
  EXPECT_EQ(info.minor, 1);
}

TEST(SleepState, AMalformedFileLeavesTheFieldsEmpty) {
  DeviceInfo info;
  ParseKernelInformation("Device Minor: x\nno colon\n:\n", info);
  EXPECT_EQ(info.minor, -1);
  EXPECT_EQ(info.name, "");
}

TEST(SleepState, WithoutTheKernelsFilesNoCardSleeps) {
  const Root nowhere("/nonexistent");
  const SleepState state(nowhere, "00000000:01:00.0");
  EXPECT_FALSE(state.MaySleep());
  EXPECT_FALSE(state.IsAsleep());
  EXPECT_TRUE(BoundCards(nowhere).empty());
  EXPECT_FALSE(SleepState().IsAsleep());
}

}  // namespace
}  // namespace gpusight::nvml
