// SPDX-License-Identifier: Apache-2.0
#include "export/json_who.h"

#include "base/log.h"
#include "export/holders.h"
#include "export/json.h"
#include "export/json_status.h"
#include "export/names.h"

namespace gpusight::exporting {

void AppendWhoJson(std::string& out, const Frame& frame, std::span<const size_t> devices) {
  JsonWriter json(out);
  json.BeginObject();
  json.Member("schema", kWhoSchema);
  json.Member("time", FormatUtc(frame.time));
  json.Member("time_seconds", frame.time.seconds());
  WriteDriver(json, frame.driver);
  json.Key("devices");
  json.BeginArray();
  for (const size_t at : devices) {
    const DeviceSample& device = frame.devices[at];
    const DeviceHolders holders = HoldersOf(frame, at);
    json.BeginObject();
    json.MemberOr("uuid", device.info.uuid, WhyUntold(device.state));
    json.Member("index", device.info.index);
    json.Member("name", device.info.name);
    json.Key("memory");
    json.BeginObject();
    json.Group(DeviceRows(), device.fields, "memory");
    json.EndObject();
    json.Member("residual_is", Name(holders.residual));
    json.Member("process_count", device.process_count);
    json.Member("hidden_count", holders.hidden);
    json.Member("hidden_bytes", holders.hidden_bytes);
    json.Member("zombie_count", holders.zombies);
    json.Key("holders");
    json.BeginArray();
    for (const Holder& holder : holders.holders) {
      json.BeginObject();
      WriteProcessIdentity(json, frame, *holder.process);
      json.Member("used_bytes", holder.use->fields[UseField::kMemory]);
      json.EndObject();
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace gpusight::exporting
