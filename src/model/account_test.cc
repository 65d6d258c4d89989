// SPDX-License-Identifier: Apache-2.0
#include "model/account.h"

#include <gtest/gtest.h>

namespace gpusight {
namespace {

// The H200 of docs/metrics.md under one job: figures in bytes as the driver gave them.
Frame OneJob() {
  Frame frame;
  frame.devices.resize(1);
  auto& fields = frame.devices[0].fields;
  fields[DeviceField::kMemoryTotal] = 150754820096.0;
  fields[DeviceField::kMemoryUsed] = 3942514688.0;
  fields[DeviceField::kMemoryFree] = 146166382592.0;
  fields[DeviceField::kMemoryDriverReserved] = 645922816.0;
  frame.devices[0].process_count = 1;
  frame.processes.resize(1);
  frame.processes[0].uses.resize(1);
  frame.processes[0].uses[0].fields[UseField::kMemory] = 3934257152.0;
  return frame;
}

TEST(Account, AddsUpToTheByte) {
  const Account account = AccountOf(OneJob(), 0);
  EXPECT_TRUE(account.balanced);
  EXPECT_EQ(*account.processes + *account.residual, *account.used);
  EXPECT_EQ(*account.residual, 8257536.0);
}

TEST(Account, AProcessWhoseMemoryIsHiddenMakesTheSumIncompleteNotSmaller) {
  Frame frame = OneJob();
  frame.processes[0].uses[0].fields[UseField::kMemory] = Absence::kNotSupported;
  const Account account = AccountOf(frame, 0);
  EXPECT_EQ(account.processes, Known<double>(Absence::kIncomplete));
  EXPECT_EQ(account.residual, Known<double>(Absence::kIncomplete));
}

TEST(Account, WithoutAProcessListThereIsNoResidual) {
  Frame frame = OneJob();
  frame.devices[0].process_count = Absence::kNoPermission;
  EXPECT_EQ(AccountOf(frame, 0).residual, Known<double>(Absence::kNoPermission));
}

TEST(Account, AProcessOnAnotherDeviceDoesNotCount) {
  Frame frame = OneJob();
  frame.processes[0].uses[0].device = 1;
  EXPECT_EQ(AccountOf(frame, 0).processes, Known<double>(0.0));
}

TEST(Account, AnUnbalancedDriverIsTold) {
  Frame frame = OneJob();
  frame.devices[0].fields[DeviceField::kMemoryUsed] = 3942514689.0;
  EXPECT_FALSE(AccountOf(frame, 0).balanced);
}

}  // namespace
}  // namespace gpusight
