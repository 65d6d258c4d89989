// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/errors.h"

#include <gtest/gtest.h>

namespace gpusight::nvml {
namespace {

TEST(Errors, EveryCodeButSuccessGivesAReason) {
  for (int code = 1; code < 40; ++code) {
    const Missing missing = MissingOf(static_cast<Return>(code));
    EXPECT_EQ(missing.code, missing.why == Absence::kDriverError ? code : 0);
  }
  EXPECT_EQ(MissingOf(kUnknown), (Missing{Absence::kDriverError, 999}));
  EXPECT_EQ(MissingOf(kNotSupported).why, Absence::kNotSupported);
  EXPECT_EQ(MissingOf(kFunctionNotFound).why, Absence::kNoSuchCall);
  EXPECT_EQ(MissingOf(kNoPermission).why, Absence::kNoPermission);
  EXPECT_EQ(MissingOf(kGpuIsLost).why, Absence::kLost);
}

TEST(Errors, ACodeIsARefusalOrADevicesEndOrTheDriversOrNone) {
  for (int code = 0; code < 40; ++code) {
    const auto value = static_cast<Return>(code);
    EXPECT_LE(IsRefusal(value) + IsDeviceGone(value) + IsSessionLost(value), 1) << code;
  }
  EXPECT_FALSE(IsRefusal(kSuccess));
  EXPECT_FALSE(IsRefusal(kUnknown));  // it may pass
  EXPECT_TRUE(IsDeviceGone(kResetRequired));
  EXPECT_TRUE(IsSessionLost(kLibRmVersionMismatch));
}

TEST(Errors, DevicesAndDriversHaveStates) {
  EXPECT_EQ(DeviceStateOf(kGpuIsLost), DeviceState::kLost);
  EXPECT_EQ(DeviceStateOf(kResetRequired), DeviceState::kNeedsReset);
  EXPECT_EQ(DeviceStateOf(kNoPermission), DeviceState::kNoPermission);
  EXPECT_EQ(DeviceStateOf(kInsufficientPower), DeviceState::kLost);
  EXPECT_EQ(DriverStateOf(kSuccess), DriverState::kOk);
  EXPECT_EQ(DriverStateOf(kLibRmVersionMismatch), DriverState::kMismatch);
  EXPECT_EQ(DriverStateOf(kUnknown), DriverState::kError);
}

}  // namespace
}  // namespace gpusight::nvml
