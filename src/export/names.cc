// SPDX-License-Identifier: Apache-2.0
#include "export/names.h"

namespace gpusight::exporting {

std::string_view Name(DeviceState state) {
  switch (state) {
    case DeviceState::kOk:
      return "ok";
    case DeviceState::kLost:
      return "lost";
    case DeviceState::kNeedsReset:
      return "needs_reset";
    case DeviceState::kAbsent:
      return "absent";
    case DeviceState::kNoPermission:
      return "no_permission";
    case DeviceState::kSuspended:
      return "suspended";
    case DeviceState::kNoAnswer:
      return "no_answer";
  }
  return "?";
}

std::string_view Name(DriverState state) {
  switch (state) {
    case DriverState::kOk:
      return "ok";
    case DriverState::kNoLibrary:
      return "no_library";
    case DriverState::kMismatch:
      return "version_mismatch";
    case DriverState::kNoPermission:
      return "no_permission";
    case DriverState::kNoDevice:
      return "no_device";
    case DriverState::kError:
      return "error";
    case DriverState::kNoAnswer:
      return "no_answer";
  }
  return "?";
}

std::string_view Name(ProcessRole role) {
  switch (role) {
    case ProcessRole::kOther:
      return "other";
    case ProcessRole::kLoaderWorker:
      return "loader_worker";
    case ProcessRole::kLauncher:
      return "launcher";
    case ProcessRole::kRank:
      return "rank";
    case ProcessRole::kCompiler:
      return "compiler";
  }
  return "?";
}

std::string_view Name(UseType type) {
  switch (type) {
    case UseType::kCompute:
      return "compute";
    case UseType::kGraphics:
      return "graphics";
    case UseType::kMps:
      return "mps";
  }
  return "?";
}

Absence WhyUntold(DeviceState state) {
  switch (state) {
    case DeviceState::kLost:
    case DeviceState::kNeedsReset:
    case DeviceState::kAbsent:
      return Absence::kLost;
    case DeviceState::kNoPermission:
      return Absence::kNoPermission;
    case DeviceState::kNoAnswer:
      return Absence::kNoAnswer;
    case DeviceState::kSuspended:
      return Absence::kNotSampledYet;
    case DeviceState::kOk:
      break;
  }
  return Absence::kNotSupported;
}

}  // namespace gpusight::exporting
