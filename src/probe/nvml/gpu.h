// SPDX-License-Identifier: Apache-2.0
// What the driver thread remembers of one device between two readings: its handle, what it
// refused, when each dear source was last asked and what that cost. Next: read_device.h.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/frame.h"
#include "probe/nvml/gpm.h"
#include "probe/nvml/link_rates.h"
#include "probe/nvml/pace.h"
#include "probe/nvml/process_list.h"
#include "probe/nvml/process_use.h"
#include "probe/nvml/rings.h"
#include "probe/nvml/sleep_state.h"
#include "probe/nvml/sources.h"

namespace gpusight::nvml {

struct Gpu {
  Device handle = nullptr;
  DeviceSample sample;  // what goes into the frame
  bool mig_on = false;
  bool still_read = false;  // Lane::kStill was read since it (re)appeared
  double look_cost = 0;     // seconds of CPU that a quick look has spent on it
  SleepState sleep;
  bool may_sleep = false;  // the kernel may suspend it
  bool matched = false;    // while the list is made anew: found again

  // Answers of the current pass, so that a source that fills three fields is asked once.
  uint32_t pass = 0;
  std::array<uint32_t, kSources> answered{};
  std::array<Slots, kSources> answers{};
  // Definite refusals: not asked again until the device or the driver comes back.
  std::bitset<kSources> refused;
  std::array<Return, kSources> refusal{};
  std::array<Pace, kSources> pace{};

  Rings rings;
  Gpm gpm;
  LinkRates links;
  ProcessUse use;
  ListStates lists;
  bool watched = false;  // its errors are told
  Missing not_watched{Absence::kNotSampledYet, 0};
  uint64_t xid_count = 0;
  uint32_t last_xid = 0;

  // Forgets what depends on the driver's session; identity and counts stay.
  void Forget();
};

}  // namespace gpusight::nvml
