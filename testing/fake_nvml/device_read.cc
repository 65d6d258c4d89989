// SPDX-License-Identifier: Apache-2.0
#include "testing/fake_nvml/device_read.h"

#include <fmt/format.h>

#include "base/text.h"

namespace gpusight::fake {

namespace {

constexpr int kMaxDevices = 64;

void AppendItems(const Node& node, std::vector<Item>& items) {
  if (node.is_array()) {
    for (const Node& element : node.Elements()) AppendItems(element, items);
  } else if (node.is_object()) {
    for (const auto& [name, member] : node.Members()) AppendItems(member, items);
  } else if (node.is_string()) {
    items.emplace_back(node.String());
  } else if (const auto* b = node.raw().As<bool>()) {
    items.emplace_back(static_cast<uint64_t>(*b));
  } else if (const auto* u = node.raw().As<uint64_t>()) {
    items.emplace_back(*u);
  } else if (const auto* i = node.raw().As<int64_t>()) {
    items.emplace_back(*i);
  } else if (node.is_number()) {
    items.emplace_back(node.Number());
  }
}

MemorySpec ReadMemory(const Node& node, MemorySpec memory) {
  node.Allow({"total_bytes", "reserved_bytes", "used_bytes", "residual_bytes"});
  memory.total = node["total_bytes"].Unsigned(memory.total);
  memory.reserved = node["reserved_bytes"].Unsigned(memory.reserved);
  if (node["used_bytes"].there()) memory.used = ReadTrack(node["used_bytes"]);
  if (node["residual_bytes"].there()) memory.residual = ReadTrack(node["residual_bytes"]);
  return memory;
}

void ReadGpm(const Node& node, GpmTracks& gpm) {
  for (const auto& [name, track] : node.Members()) {
    const auto id = ParseNumber<uint32_t>(name);
    if (!id) {
      track.Fail("expected the number of a GPM metric");
      continue;
    }
    gpm[*id] = ReadTrack(track);
  }
}

void SetText(DeviceSpec& device, Call call, std::string text) {
  device.answers[{call, 0}] = Entry{{0, 0, {std::move(text)}, -1, false}, {}};
}

// A full bus id ("00000000:00:06.0") as the fields of nvmlPciInfo_t; the ids of the chip are kept.
void SetPciBusId(DeviceSpec& device, const std::string& bus_id, const Node& node) {
  unsigned domain = 0, bus = 0, slot = 0;
  if (sscanf(bus_id.c_str(), "%8x:%2x:%2x.0", &domain, &bus, &slot) != 3) {
    node.Fail("expected a bus id such as 00000000:00:06.0");
    return;
  }
  Entry& entry = device.answers[{Call::nvmlDeviceGetPciInfo_v3, 0}];
  std::vector<Item>& items = entry.recorded.items;
  entry.recorded.code = 0;
  const Item chip = items.size() > 4 ? items[4] : Item(uint64_t{0x233510de});
  const Item board = items.size() > 5 ? items[5] : Item(uint64_t{0x18bf10de});
  items = {fmt::format("{:04X}:{:02X}:{:02X}.0", domain & 0xffff, bus, slot),
           uint64_t{domain},
           uint64_t{bus},
           uint64_t{slot},
           chip,
           board,
           fmt::format("{:08X}:{:02X}:{:02X}.0", domain, bus, slot)};
}

void ReadIdentity(const Node& node, DeviceSpec& device) {
  node.Allow({"uuid", "name", "serial", "pci_bus_id", "minor"});
  if (node["uuid"].there()) SetText(device, Call::nvmlDeviceGetUUID, node["uuid"].String());
  if (node["name"].there()) SetText(device, Call::nvmlDeviceGetName, node["name"].String());
  if (node["serial"].there()) SetText(device, Call::nvmlDeviceGetSerial, node["serial"].String());
  if (node["pci_bus_id"].there()) {
    SetPciBusId(device, node["pci_bus_id"].String(), node["pci_bus_id"]);
  }
  if (node["minor"].there()) {
    device.answers[{Call::nvmlDeviceGetMinorNumber, 0}] =
        Entry{{0, 0, {node["minor"].Unsigned()}, -1, false}, {}};
  }
}

MigInstance ReadMig(const Node& node, const std::string& device_name) {
  node.Allow(
      {"about", "uuid", "name", "gpu_instance", "compute_instance", "memory", "attributes", "gpm"});
  MigInstance mig;
  mig.uuid = node["uuid"].String();
  mig.name = node["name"].String(device_name + " MIG");
  mig.gpu_instance = static_cast<uint32_t>(node["gpu_instance"].Unsigned());
  mig.compute_instance = static_cast<uint32_t>(node["compute_instance"].Unsigned());
  if (node["memory"].there()) mig.memory = ReadMemory(node["memory"], {});
  if (node["attributes"].there()) AppendItems(node["attributes"], mig.attributes);
  if (node["gpm"].there()) ReadGpm(node["gpm"], mig.gpm);
  return mig;
}

// What the calls of a recording say; unknown calls are left out, so that a recording may hold more
// than the fake can tell.
void ReadAnswers(const Node& node, bool known_only, Answers& answers) {
  for (const auto& [name, answer] : node.Members()) {
    const auto key = KeyNamed(name);
    if (key) {
      answers[*key] = ReadEntry(answer, known_only);
    } else if (known_only) {
      answer.Fail("the fake driver has no such call");
    }
  }
}

void ReadRecording(const Node& node, const Reader& read, DeviceSpec& device) {
  const std::string name = node.String();
  const auto text = read(name);
  if (!text) {
    node.Fail(text.error().what);
    return;
  }
  const auto document = ParseJson(*text, name);
  if (!document) {
    node.Fail(document.error().what);
    return;
  }
  const Node root(&*document, "", node.errors());
  ReadAnswers(root["calls"].there() ? root["calls"] : root, false, device.answers);
}

// The recorded memory becomes the device's, so that a recording alone is a whole device.
void MemoryFromAnswers(DeviceSpec& device) {
  if (const Entry* v2 = device.Find({Call::nvmlDeviceGetMemoryInfo_v2, 0});
      v2 != nullptr && v2->recorded.items.size() == 4) {
    device.memory.total = NumberOf<uint64_t>(v2->recorded.items[0]);
    device.memory.reserved = NumberOf<uint64_t>(v2->recorded.items[1]);
  } else if (const Entry* v1 = device.Find({Call::nvmlDeviceGetMemoryInfo, 0});
             v1 != nullptr && v1->recorded.items.size() == 3) {
    device.memory.total = NumberOf<uint64_t>(v1->recorded.items[0]);
  }
}

void AttachTracks(DeviceSpec& device) {
  Track& momentary = device.tracks[static_cast<size_t>(TrackName::kMomentaryPower)];
  if (momentary.empty()) momentary = device.track(TrackName::kPower);
  for (const TrackRow& row : TrackRows()) {
    const Track& track = device.track(row.track);
    if (track.empty()) continue;
    Entry& entry = device.answers[{row.call, row.parameters}];
    entry.recorded.code = 0;
    entry.moving.push_back({track, row.item, row.scale, row.integral});
  }
}

// Makes a copy of a device another device: its own UUID, serial, minor and place on the bus.
void Renumber(DeviceSpec& device, unsigned n, const Node& node) {
  std::string uuid = device.Text(Call::nvmlDeviceGetUUID);
  const std::string digits = fmt::format("{:02x}", n);
  if (uuid.size() > digits.size()) uuid.replace(uuid.size() - digits.size(), digits.size(), digits);
  SetText(device, Call::nvmlDeviceGetUUID, uuid);
  std::string serial = device.Text(Call::nvmlDeviceGetSerial);
  const std::string number = fmt::format("{:02}", n);
  if (serial.size() > number.size()) {
    serial.replace(serial.size() - number.size(), number.size(), number);
    SetText(device, Call::nvmlDeviceGetSerial, serial);
  }
  device.answers[{Call::nvmlDeviceGetMinorNumber, 0}] = Entry{{0, 0, {uint64_t{n}}, -1, false}, {}};
  SetPciBusId(device, fmt::format("00000000:{:02X}:00.0", 0x10 + n * 8), node);
}

}  // namespace

Window ReadWindow(const Node& node) {
  Window window;
  if (node["from"].there()) window.from = node["from"].Number();
  if (node["until"].there() && !node["until"].is_null()) window.until = node["until"].Number();
  return window;
}

Entry ReadEntry(const Node& node, bool strict) {
  Entry entry;
  Answer& answer = entry.recorded;
  if (!node.is_object()) {  // short for {"value": …}
    AppendItems(node, answer.items);
    return entry;
  }
  answer.seconds = node["us"].Number() * 1e-6;
  answer.type = node["type"].Int(-1);
  answer.unwritten = node["unwritten"].Bool();
  if (node["code"].there()) {
    answer.code = node["code"].Int();
  } else if (node["err"].there()) {
    const auto code = CodeNamed(node["err"].String());
    if (!code) node["err"].Fail("not a text of the driver");
    answer.code = code.value_or(0);
  }
  if (node["v"].there()) AppendItems(node["v"], answer.items);
  if (node["value"].there()) AppendItems(node["value"], answer.items);
  for (const bool rate : {false, true}) {
    const Node track = node[rate ? "rate" : "track"];
    if (track.there()) entry.moving.push_back({ReadTrack(track), 0, 1, rate});
  }
  if (strict && answer.code == 0 && answer.items.empty() && entry.moving.empty() &&
      !answer.unwritten && !node["code"].there()) {
    node.Fail("expected code, err, value, track or rate");
  }
  return entry;
}

void ReadDevice(const Node& node, const Reader& read_recording, std::vector<DeviceSpec>& devices) {
  node.Allow({"about", "recording", "identity", "memory", "tracks", "gpm", "override", "mig_mode",
              "mig", "absent", "copies"});
  DeviceSpec device;
  if (node["recording"].there()) ReadRecording(node["recording"], read_recording, device);
  MemoryFromAnswers(device);
  if (node["identity"].there()) ReadIdentity(node["identity"], device);
  if (node["memory"].there()) device.memory = ReadMemory(node["memory"], device.memory);
  for (const auto& [name, track] : node["tracks"].Members()) {
    const auto known = TrackNamed(name);
    if (known) {
      device.tracks[static_cast<size_t>(*known)] = ReadTrack(track);
    } else {
      track.Fail("there is no such track");
    }
  }
  AttachTracks(device);
  if (node["gpm"].there()) ReadGpm(node["gpm"], device.gpm);
  if (node["override"].there()) ReadAnswers(node["override"], true, device.answers);
  for (const Node& mig : node["mig"].Elements()) {
    device.mig.push_back(ReadMig(mig, device.Text(Call::nvmlDeviceGetName)));
  }
  device.mig_mode = node["mig_mode"].Bool(!device.mig.empty());
  for (const Node& window : node["absent"].Elements()) device.absent.push_back(ReadWindow(window));

  const int copies = node["copies"].Int(1);
  if (copies < 1 || copies + static_cast<int>(devices.size()) > kMaxDevices) {
    node["copies"].Fail("there can be 1 to 64 devices");
    return;
  }
  for (int i = 0; i < copies; ++i) {
    devices.push_back(device);
    if (copies > 1) Renumber(devices.back(), static_cast<unsigned>(devices.size() - 1), node);
  }
}

}  // namespace gpusight::fake
