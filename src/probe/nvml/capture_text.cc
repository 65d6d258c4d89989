// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/capture_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <numeric>

#include "base/text.h"

namespace gpusight::nvml {
namespace {

constexpr uint32_t kFirstPid = 1001;
constexpr std::string_view kUuidCall = "nvmlDeviceGetUUID";

bool IsUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const char c = text[i];
    const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (dash ? c != '-' : !digit) return false;
  }
  return true;
}

std::string MemoryText(const CapturedMemory& memory, uint64_t of_processes, bool all_known) {
  std::string text =
      fmt::format(R"({{"total_bytes": {}, "reserved_bytes": {}, )", memory.total, memory.reserved);
  // What belongs to no process, unless that cannot be told.
  if (all_known && memory.used >= of_processes) {
    return text + fmt::format(R"("residual_bytes": {}}})", memory.used - of_processes);
  }
  return text + fmt::format(R"("used_bytes": {}}})", memory.used);
}

std::string MemoryOf(const CapturedMemory& memory, const CapturedDevice& device,
                     const CapturedMig* mig) {
  uint64_t sum = 0;
  bool known = true;
  for (const CapturedProcess& process : device.processes) {
    if (mig != nullptr && (process.gpu_instance != mig->gpu_instance ||
                           process.compute_instance != mig->compute_instance)) {
      continue;
    }
    known = known && process.memory != kValueNotAvailable;
    sum += process.memory;
  }
  return MemoryText(memory, sum, known);
}

std::string MigText(const CapturedMig& mig, const CapturedDevice& device, Pseudonyms& pseudonyms) {
  const DeviceAttributes& a = mig.attributes;
  std::string gpm;
  for (const auto& [id, value] : mig.gpm) {
    gpm += fmt::format(R"({}"{}": {})", gpm.empty() ? "" : ", ", id, JsonNumber(value));
  }
  return fmt::format(
      R"({{"uuid": {}, "name": {}, "gpu_instance": {}, "compute_instance": {},
       "memory": {}, "attributes": [{}, {}, {}, {}, {}, {}, {}, {}, {}],
       "gpm": {{{}}}}})",
      JsonText(pseudonyms.Uuid(mig.uuid)), JsonText(mig.name), mig.gpu_instance,
      mig.compute_instance, MemoryOf(mig.memory, device, &mig), a.multiprocessors, a.copy_engines,
      a.decoders, a.encoders, a.jpegs, a.ofas, a.gpu_instance_slices, a.compute_instance_slices,
      a.memory_mib, gpm);
}

std::string DeviceText(const CapturedDevice& device, size_t number, Pseudonyms& pseudonyms) {
  if (device.handle != kSuccess) return "{\"about\": \"its handle was refused\"}";
  std::string text = fmt::format(R"({{"recording": "gpu-{}.json")", number);
  if (device.memory.known)
    text += ",\n     \"memory\": " + MemoryOf(device.memory, device, nullptr);
  if (device.mig_mode) text += ",\n     \"mig_mode\": true";
  for (size_t i = 0; i < device.mig.size(); ++i) {
    text += i == 0 ? ",\n     \"mig\": [\n      " : ",\n      ";
    text += MigText(device.mig[i], device, pseudonyms);
  }
  if (!device.mig.empty()) text += "]";
  return text + "}";
}

std::string ProcessText(const CapturedProcess& process, size_t device, Pseudonyms& pseudonyms) {
  std::vector<std::string> types;
  if (process.compute) types.emplace_back("\"compute\"");
  if (process.graphics) types.emplace_back("\"graphics\"");
  if (process.mps) types.emplace_back("\"mps\"");
  std::string text = fmt::format(R"({{"pid": {}, "device": {}, "types": [{}])",
                                 pseudonyms.Pid(process.pid), device, fmt::join(types, ", "));
  if (!process.listed) text += R"(, "listed": false)";
  if (process.memory == kValueNotAvailable) {
    text += R"(, "hidden": true)";
  } else {
    text += fmt::format(R"(, "memory_bytes": {})", process.memory);
  }
  if (process.gpu_instance != ~0u) {
    text += fmt::format(R"(, "gpu_instance": {}, "compute_instance": {})", process.gpu_instance,
                        process.compute_instance);
  }
  const char* const names[] = {"sm_percent", "memory_activity_percent", "encoder_percent",
                               "decoder_percent"};
  for (size_t i = 0; i < 4; ++i) {
    if (process.use[i] != 0) text += fmt::format(R"(, "{}": {})", names[i], process.use[i]);
  }
  return text + "}";
}

}  // namespace

std::string Pseudonyms::Uuid(std::string_view uuid) {
  // "GPU-…", "MIG-…", "MIG-GPU-…/1/0": the 36 characters in the middle are the identifier.
  size_t start = 0;
  while (uuid.substr(start).starts_with("GPU-") || uuid.substr(start).starts_with("MIG-")) {
    start += 4;
  }
  const std::string_view id = uuid.substr(start, 36);
  if (!IsUuid(id)) return std::string(uuid);
  const auto [entry, fresh] = uuids_.try_emplace(std::string(id), 0);
  if (fresh) entry->second = static_cast<int>(uuids_.size());
  return fmt::format("{}00000000-0000-0000-0000-{:012}{}", uuid.substr(0, start), entry->second,
                     uuid.substr(start + id.size()));
}

uint32_t Pseudonyms::Pid(uint32_t pid) {
  const auto [entry, fresh] = pids_.try_emplace(pid, 0);
  if (fresh) entry->second = kFirstPid + static_cast<uint32_t>(pids_.size()) - 1;
  return entry->second;
}

std::string JsonText(std::string_view text) {
  std::string json = "\"";
  for (const char c : Printable(text)) {
    if (c == '"' || c == '\\') json += '\\';
    json += c;
  }
  return json + "\"";
}

std::string JsonNumber(double number) {
  return std::isfinite(number) ? fmt::format("{}", number) : "0";
}

std::string RecordingText(const CapturedDevice& device, Pseudonyms& pseudonyms) {
  std::string text = "{\"calls\": {";
  const char* separator = "\n ";
  for (const CapturedAnswer& answer : device.answers) {
    std::string members = answer.members;
    if (answer.key == kUuidCall) {
      // The only answer that identifies a machine.
      const size_t from = members.find("\"v\": \"");
      const size_t to = members.rfind('"');
      if (from != std::string::npos && to > from + 6) {
        members = members.substr(0, from + 5) +
                  JsonText(pseudonyms.Uuid(members.substr(from + 6, to - from - 6)));
      }
    }
    text += fmt::format("{}\"{}\": {{{}}}", separator, answer.key, members);
    separator = ",\n ";
  }
  return text + "\n}}\n";
}

std::string ScenarioText(const Captured& captured, Pseudonyms& pseudonyms) {
  std::string text = fmt::format(
      "{{\n  \"about\": \"captured with gpusight doctor --capture\",\n"
      "  \"driver\": {{\"version\": {}, \"nvml\": {}, \"cuda\": {}}},\n",
      JsonText(captured.driver_version), JsonText(captured.nvml_version), captured.cuda_version);
  if (!captured.missing.empty()) {
    text +=
        fmt::format("  \"missing\": [\n    \"{}\"],\n", fmt::join(captured.missing, "\",\n    \""));
  }
  std::string bytes;
  for (size_t i = 1; i <= 3; ++i) {
    if (captured.record_bytes[i] == 0) continue;
    bytes += fmt::format("{}\"v{}\": {}", bytes.empty() ? "" : ", ", i, captured.record_bytes[i]);
  }
  if (!bytes.empty()) {
    text += fmt::format("  \"quirks\": {{\"process_record_bytes\": {{{}}}}},\n", bytes);
  }
  std::string devices, processes, rules;
  for (size_t i = 0; i < captured.devices.size(); ++i) {
    const CapturedDevice& device = captured.devices[i];
    devices += (devices.empty() ? "\n    " : ",\n    ") + DeviceText(device, i, pseudonyms);
    for (const CapturedProcess& process : device.processes) {
      processes += (processes.empty() ? "\n    " : ",\n    ") + ProcessText(process, i, pseudonyms);
    }
    if (device.handle != kSuccess) {
      rules += fmt::format("{}\n    {{\"calls\": \"nvmlDevice*\", \"device\": {}, \"code\": {}}}",
                           rules.empty() ? "" : ",", i, static_cast<int>(device.handle));
    }
  }
  text += fmt::format("  \"devices\": [{}],\n  \"processes\": [{}],\n  \"rules\": [{}]\n}}\n",
                      devices, processes, rules);
  return text;
}

}  // namespace gpusight::nvml
