// SPDX-License-Identifier: Apache-2.0
#include "report/model.h"

#include <algorithm>

namespace gpusight::report {

const Curve* DeviceReport::Find(std::string_view name) const {
  for (const NamedCurve& curve : curves) {
    if (curve.name == name) return &curve.curve;
  }
  return nullptr;
}

Known<double> MeanOf(const Report& report, std::string_view name) {
  double sum = 0, seconds = 0;
  Missing missing;
  for (const DeviceReport& device : report.devices) {
    const Curve* curve = device.Find(name);
    if (curve == nullptr) continue;
    if (!curve->level) {
      missing = curve->level.missing();
      continue;
    }
    sum += curve->level->mean * curve->level->seconds;
    seconds += curve->level->seconds;
  }
  if (seconds == 0) return missing;
  return sum / seconds;
}

Known<double> EnergyOf(const Report& report) {
  if (report.devices.empty()) return Absence::kNotApplicable;
  double sum = 0;
  for (const DeviceReport& device : report.devices) {
    if (!device.energy) return device.energy.missing();
    sum += *device.energy;
  }
  return sum;
}

Known<double> PeakUsed(const Report& report) {
  Known<double> most = Absence::kNotApplicable;
  for (const DeviceReport& device : report.devices) {
    Known<double> peak = device.memory.peak_used;
    if (device.memory.unaccounted_peak > peak.value_or(0)) peak = device.memory.unaccounted_peak;
    if (!most || (peak && *peak > *most)) most = peak;
  }
  return most;
}

}  // namespace gpusight::report
