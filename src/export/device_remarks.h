// SPDX-License-Identifier: Apache-2.0
// What deserves attention on one device: lost, links below their maximum, clocks held down, memory
// errors, memory without a visible owner. Pure; sentences without a full stop.
#pragma once

#include <string>
#include <vector>

#include "base/language.h"
#include "model/frame.h"

namespace gpusight::exporting {

struct Remark {
  bool problem = false;  // needs action, not just a look
  std::string text;
};

[[nodiscard]] std::vector<Remark> RemarksOn(const DeviceSample& device, Language language);

// On memory of device `at` whose holder has ended or cannot be seen.
[[nodiscard]] std::vector<Remark> RemarksOnHolders(const Frame& frame, size_t at,
                                                   Language language);

}  // namespace gpusight::exporting
