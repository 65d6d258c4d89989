// SPDX-License-Identifier: Apache-2.0
// The table of everything that gpusight asks the card: for each field of the catalogue which
// calls give it (best first), how often it is asked, in what unit the driver answers, what values
// can be true, and what its absence means. Adding a metric of the card is a row here.
// Next: read_device.h, which walks the table.
#pragma once

#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "model/catalog.h"
#include "probe/nvml/sources.h"

namespace gpusight::nvml {

enum class Lane : uint8_t {
  kOnce,   // when the device (re)appears; costs microseconds
  kStill,  // as rarely, but costs milliseconds: with the first slow lane
  kFast,   // every frame; must cost microseconds
  kSlow,   // every ten seconds or so, less often when it costs more (see chores.h)
};

// The driver's number in the catalogue's unit. Thousandths are divided by 1000, not multiplied by
// 0.001: 686300 mW are then 686.3 W and not 686.3000000000001.
[[nodiscard]] inline double Scaled(double value, double scale) {
  return scale < 1 ? value / std::round(1 / scale) : value * scale;
}

// Number `slot` of a source, times `scale`, is the field in its catalogue unit.
struct Pick {
  Source source = Source::kNone;
  uint8_t slot = 0;
  double scale = 1;
};

struct FieldRow {
  DeviceField field;
  Lane lane;
  std::array<Pick, 3> picks;  // in order of preference; kNone ends them
  double least, most;         // in the catalogue's unit; anything else is rejected
  bool with_mig;              // false: the driver does not give it while MIG is on
  std::string_view absence;   // what it means when the driver refuses
};

[[nodiscard]] std::span<const FieldRow> FieldRows();  // in the order of DeviceField
[[nodiscard]] const FieldRow& RowOf(DeviceField field);

}  // namespace gpusight::nvml
