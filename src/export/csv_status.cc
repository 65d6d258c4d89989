// SPDX-License-Identifier: Apache-2.0
#include "export/csv_status.h"

#include "base/log.h"
#include "export/csv.h"
#include "export/device_label.h"
#include "export/names.h"
#include "export/number.h"

namespace gpusight::exporting {

std::string StatusCsvHeader() {
  std::string out = "time,gpu,uuid,name,state";
  for (const CatalogRow& row : DeviceRows()) {
    out += ',';
    out += row.name;
  }
  return out + ",unknown\n";
}

void AppendStatusCsv(std::string& out, const Frame& frame, std::span<const size_t> devices) {
  for (const size_t at : devices) {
    const DeviceSample& device = frame.devices[at];
    out += FormatUtc(frame.time);
    out += ',';
    AppendDeviceLabel(out, frame, at);
    out += ',';
    AppendCsvCell(out, device.info.uuid);
    out += ',';
    AppendCsvCell(out, device.info.name);
    out += ',';
    out += Name(device.state);
    std::string unknown;
    if (device.info.uuid.empty()) unknown = "uuid: " + Describe({WhyUntold(device.state)});
    for (size_t i = 0; i < DeviceRows().size(); ++i) {
      out += ',';
      const auto& value = device[static_cast<DeviceField>(i)];
      if (value) {
        AppendNumber(out, *value);
        continue;
      }
      if (!unknown.empty()) unknown += "; ";
      unknown += DeviceRows()[i].name;
      unknown += ": ";
      unknown += Describe(value.missing());
    }
    out += ',';
    out += unknown;
    out += '\n';
  }
}

}  // namespace gpusight::exporting
