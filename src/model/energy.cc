// SPDX-License-Identifier: Apache-2.0
#include "model/energy.h"

namespace gpusight {

void EnergyMeter::Add(const DeviceSample& device, double seconds) {
  if (!(seconds >= 0)) return;
  const Known<double>& mean = device[DeviceField::kPowerMean];
  const Known<double>& watts = mean ? mean : device[DeviceField::kPower];
  waiting_seconds_ += seconds;
  if (watts) {
    waiting_joules_ += *watts * seconds;
    waiting_powered_ += seconds;
  }
  const Known<double>& counter = device[DeviceField::kEnergy];
  if (!watts && !counter && !any_) missing_ = watts.missing();
  if (!counter) return;
  if (!last_) {
    last_ = counter;
    return;
  }
  const double growth = *counter - *last_;
  if (growth == 0) return;
  last_ = counter;
  // When the value before was read is not known at first; power knows better, if there is any.
  // Below zero the counter began anew with the driver.
  const bool by_counter = growth > 0 && (changed_ || waiting_powered_ == 0);
  changed_ = true;
  if (by_counter) {
    by_counter_ += growth;
    seconds_ += waiting_seconds_;
    any_ = true;
  } else if (waiting_powered_ > 0) {
    by_power_ += waiting_joules_;
    seconds_ += waiting_powered_;
    any_ = true;
  }
  waiting_joules_ = waiting_powered_ = waiting_seconds_ = 0;
}

void EnergyMeter::Restart() {
  const Known<double> last = last_;
  *this = EnergyMeter{};
  last_ = last;
}

Known<double> EnergyMeter::joules() const {
  if (any_ || waiting_powered_ > 0) return by_counter_ + by_power_ + waiting_joules_;
  // A counter alone, of which one value is known.
  return last_ ? Missing{Absence::kNotSampledYet, 0} : missing_;
}

Known<double> EnergyMeter::mean_watts() const {
  const Known<double> all = joules();
  const double seconds = seconds_ + waiting_powered_;
  if (!all) return all;
  if (seconds <= 0) return Absence::kNotSampledYet;
  return *all / seconds;
}

}  // namespace gpusight
