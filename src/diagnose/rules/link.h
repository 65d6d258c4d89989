// SPDX-License-Identifier: Apache-2.0
// What a PCIe link can carry. Next: pageable_copy.cc, link_saturated.cc.
#pragma once

#include "diagnose/rule.h"

namespace gpusight::diagnose {

// Bytes per second that the widest and fastest state of the link gives in practice.
inline double LinkPeak(const View& view) {
  static constexpr double kLane[] = {0, 0.25e9, 0.5e9, 0.985e9, 1.97e9, 3.94e9, 7.56e9};
  const double generation = view.Now(Signal::kLinkGenerationMax),
               width = view.Now(Signal::kLinkWidthMax);
  if (!(generation >= 1) || !(generation < 7) || !(width >= 1)) return kNotKnown;
  // Measured on an H200 (Gen5 x16): 59.2 GB/s with pinned memory.
  return 0.94 * kLane[static_cast<size_t>(generation)] * width;
}

}  // namespace gpusight::diagnose
