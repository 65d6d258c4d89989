// SPDX-License-Identifier: Apache-2.0
// Traffic over PCIe and NVLink where GPM does not give it. NVLink: the driver's counters,
// differenced. PCIe: only a call that watches the link for 20 ms in each direction, so it has the
// slow lane. (The driver's PCIe byte counters have 32 bits and wrap within a second; useless.)
#pragma once

#include "model/frame.h"
#include "probe/nvml/abi.h"
#include "probe/nvml/pace.h"

namespace gpusight::nvml {

struct Pass;
struct Gpu;

class LinkRates {
 public:
  // Fills those of the four rates that GPM has not filled in this pass. Call it after Gpm::Read().
  Return Read(Pass& pass, Gpu& gpu);

 private:
  Return ReadPcie(Pass& pass, Gpu& gpu);
  Return ReadNvlink(Pass& pass, Gpu& gpu);

  Pace pcie_;
  bool pcie_refused_ = false, nvlink_refused_ = false;
  MonoTime counted_ = kNever;
  double received_ = 0, transmitted_ = 0;  // KiB at that moment
};

}  // namespace gpusight::nvml
