// SPDX-License-Identifier: Apache-2.0
// The energy that a device took over some frames: the one rule for the end of a run, the report and
// the comparison. The driver's counter (nvmlDeviceGetTotalEnergyConsumption) is the card's own
// integral, but dear to ask: it is read seldom, and stands in the frames between. So it counts from
// one of its changes to the next; before the first and after the last it is power over time, which
// alone counts where there is no counter (before Volta, MIG instances). Power is the mean of the
// driver's 20 ms samples where it has them. Pure. Next: frame.h.
#pragma once

#include "model/frame.h"
#include "model/known.h"

namespace gpusight {

class EnergyMeter {
 public:
  // `seconds`: for which the frame speaks.
  void Add(const DeviceSample& device, double seconds);
  // What comes from here on counts. What the counter says until it changes is from before.
  void Restart();

  // Missing: neither counter nor power was known, and why.
  [[nodiscard]] Known<double> joules() const;
  // Over the time that it was known for.
  [[nodiscard]] Known<double> mean_watts() const;
  // Most of it comes from the counter.
  [[nodiscard]] bool counted() const { return by_counter_ > by_power_ + waiting_joules_; }

 private:
  Known<double> last_;    // the counter
  bool changed_ = false;  // since the start: when it was read is known
  double by_counter_ = 0, by_power_ = 0, seconds_ = 0;
  bool any_ = false;
  // Since the counter changed last.
  double waiting_joules_ = 0, waiting_powered_ = 0, waiting_seconds_ = 0;
  Missing missing_{Absence::kNotSampledYet, 0};
};

}  // namespace gpusight
