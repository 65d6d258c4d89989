// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/errors.h"

namespace gpusight::nvml {

bool IsRefusal(Return code) {
  switch (code) {
    case kInvalidArgument:  // how some devices say that they lack a sensor
    case kNotSupported:
    case kNoPermission:
    case kFunctionNotFound:
    case kVgpuEccNotSupported:
    case kFreqNotSupported:
    case kArgumentVersionMismatch:
    case kDeprecated:
      return true;
    default:
      return false;
  }
}

bool IsDeviceGone(Return code) {
  return code == kGpuIsLost || code == kResetRequired || code == kGpuNotFound;
}

bool IsSessionLost(Return code) {
  return code == kUninitialized || code == kDriverNotLoaded || code == kLibRmVersionMismatch;
}

Missing MissingOf(Return code) {
  switch (code) {
    case kNotSupported:
    case kInvalidArgument:
    case kVgpuEccNotSupported:
    case kFreqNotSupported:
    case kDeprecated:
      return {Absence::kNotSupported, 0};
    case kFunctionNotFound:
    case kArgumentVersionMismatch:
      return {Absence::kNoSuchCall, 0};
    case kNoPermission:
      return {Absence::kNoPermission, 0};
    case kGpuIsLost:
    case kResetRequired:
    case kGpuNotFound:
      return {Absence::kLost, 0};
    case kTimeout:
      return {Absence::kNoAnswer, 0};
    case kNoData:
    case kNotReady:
      return {Absence::kNotSampledYet, 0};
    default:
      return {Absence::kDriverError, code};
  }
}

DeviceState DeviceStateOf(Return code) {
  switch (code) {
    case kSuccess:
      return DeviceState::kOk;
    case kNoPermission:
      return DeviceState::kNoPermission;
    case kResetRequired:
      return DeviceState::kNeedsReset;
    case kNotFound:
    case kGpuNotFound:
      return DeviceState::kAbsent;
    default:  // fallen off the bus, without external power, its interrupt lost, …
      return DeviceState::kLost;
  }
}

DriverState DriverStateOf(Return code) {
  switch (code) {
    case kSuccess:
      return DriverState::kOk;
    case kLibraryNotFound:
      return DriverState::kNoLibrary;
    case kLibRmVersionMismatch:
      return DriverState::kMismatch;
    case kNoPermission:
      return DriverState::kNoPermission;
    case kTimeout:
      return DriverState::kNoAnswer;
    default:
      return DriverState::kError;
  }
}

}  // namespace gpusight::nvml
