// SPDX-License-Identifier: Apache-2.0
#include "tui/history.h"

#include <algorithm>
#include <cmath>

namespace gpusight::tui {
namespace {

// Longer silences are gaps in the chart, not a value that held.
constexpr int64_t kLongestRingSpanNs = 1'000'000'000;

Known<double> Over(const Known<double>& part, const Known<double>& whole) {
  if (!part) return part;
  if (!whole) return whole;
  if (!(*whole > 0)) return Absence::kImplausible;
  return *part / *whole;
}

// Sub-samples of a driver's ring; each holds since the one before it, the first as long as the
// second.
void AddRing(Series& series, const std::vector<SubSample>& ring, int64_t frame_span_ns,
             double scale) {
  for (size_t i = 0; i < ring.size(); ++i) {
    const int64_t end = ring[i].time.ns;
    const int64_t span = i > 0             ? end - ring[i - 1].time.ns
                         : ring.size() > 1 ? ring[1].time.ns - end
                                           : frame_span_ns;
    series.Add(end, std::min(span, kLongestRingSpanNs), ring[i].value * scale);
  }
}

}  // namespace

Known<double> ChartValue(const DeviceSample& device, ChartId chart) {
  switch (chart) {
    case ChartId::kUtilization:
      return device[DeviceField::kUtilization];
    case ChartId::kSm:
      return device[DeviceField::kSmActivity];
    case ChartId::kTensor:
      return device[DeviceField::kTensorActivity];
    case ChartId::kDram:
      return device[DeviceField::kDramActivity];
    case ChartId::kMemory:
      return Over(device[DeviceField::kMemoryUsed], device[DeviceField::kMemoryTotal]);
    case ChartId::kPower:
      return Over(device[DeviceField::kPower], device[DeviceField::kPowerLimit]);
    case ChartId::kMemoryActivity:
      return device[DeviceField::kMemoryActivity];
    case ChartId::kCount:
      break;
  }
  return Absence::kNotSupported;
}

void History::Add(const Frame& frame) {
  const auto span = static_cast<int64_t>(std::llround(frame.interval_seconds * 1e9));
  for (const DeviceSample& device : frame.devices) {
    Charts& charts = devices_[DeviceKey(device.info)];
    for (size_t i = 0; i < kCharts; ++i) {
      const auto chart = static_cast<ChartId>(i);
      const std::vector<SubSample>* ring = nullptr;
      double scale = 1;
      if (chart == ChartId::kUtilization) ring = &device.utilization_ring;
      if (chart == ChartId::kMemoryActivity) ring = &device.memory_activity_ring;
      if (chart == ChartId::kPower) {
        const Known<double>& limit = device[DeviceField::kPowerLimit];
        if (limit && *limit > 0) {
          ring = &device.power_ring;
          scale = 1 / *limit;
        }
      }
      if (ring != nullptr) AddRing(charts[i], *ring, span, scale);
      // Without an interval (first frame) a value stands for the moment before it.
      const Known<double> value = ChartValue(device, chart);
      const int64_t held = span > 0 ? span : Series::kMergeNs;
      if (value) charts[i].Add(frame.time.ns, held, *value, ring != nullptr);
    }
  }
}

const Series* History::Find(const DeviceInfo& device, ChartId chart) const {
  const auto found = devices_.find(DeviceKey(device));
  return found == devices_.end() ? nullptr : &found->second[static_cast<size_t>(chart)];
}

}  // namespace gpusight::tui
