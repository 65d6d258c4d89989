// SPDX-License-Identifier: Apache-2.0
#include "model/event.h"

namespace gpusight {

const char* EventName(EventType type) {
  switch (type) {
    case EventType::kXid:
      return "xid";
    case EventType::kEccCorrected:
      return "ecc_corrected";
    case EventType::kEccUncorrected:
      return "ecc_uncorrected";
    case EventType::kDeviceLost:
      return "device_lost";
    case EventType::kDeviceReturned:
      return "device_returned";
    case EventType::kDriverReloaded:
      return "driver_reloaded";
    case EventType::kDriverSilent:
      return "driver_silent";
    case EventType::kDriverAnswered:
      return "driver_answered";
    case EventType::kProcessStarted:
      return "process_started";
    case EventType::kProcessEnded:
      return "process_ended";
    case EventType::kClockJump:
      return "clock_jump";
  }
  return "unknown";
}

}  // namespace gpusight
