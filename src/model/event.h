// SPDX-License-Identifier: Apache-2.0
// Something that happened at a moment, rather than a level: an XID error, a lost device.
// Next: frame.h.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"

namespace gpusight {

enum class EventType : uint8_t {
  kXid,             // number = XID
  kEccCorrected,    //
  kEccUncorrected,  //
  kDeviceLost,
  kDeviceReturned,
  kDriverReloaded,
  kDriverSilent,    // a call hangs; number = seconds so far
  kDriverAnswered,  // it came back; number = seconds it took
  kProcessStarted,  // number = pid
  kProcessEnded,    // number = pid
  kClockJump,       // number = seconds
};

// "xid", "device_lost", …
[[nodiscard]] const char* EventName(EventType type);

struct Event {
  EventType type = EventType::kXid;
  WallTime time;
  std::string device_uuid;  // empty when it concerns none
  int64_t number = 0;
};

}  // namespace gpusight
