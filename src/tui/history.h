// SPDX-License-Identifier: Apache-2.0
// The past of every device, kept by UUID so that a device that moves to another index or returns
// after a reset keeps its own. Fed with each frame and the driver's sub-samples in it.
// Next: state.h.
#pragma once

#include <array>
#include <map>
#include <string>

#include "model/device_key.h"
#include "model/frame.h"
#include "tui/series.h"

namespace gpusight::tui {

// What has a chart, in the order in which charts are shown.
enum class ChartId : uint8_t {
  kUtilization,
  kSm,
  kTensor,
  kDram,
  kMemory,
  kPower,
  kMemoryActivity,  // in DRAM activity's place where there is no GPM
  kCount
};
inline constexpr size_t kCharts = static_cast<size_t>(ChartId::kCount);

class History {
 public:
  void Add(const Frame& frame);

  // Null when the device was never seen.
  const Series* Find(const DeviceInfo& device, ChartId chart) const;

 private:
  using Charts = std::array<Series, kCharts>;
  std::map<std::string, Charts, std::less<>> devices_;
};

// The number that a chart shows, as a ratio of its top: power over its limit, memory over total.
[[nodiscard]] Known<double> ChartValue(const DeviceSample& device, ChartId chart);

}  // namespace gpusight::tui
