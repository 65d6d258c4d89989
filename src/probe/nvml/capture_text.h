// SPDX-License-Identifier: Apache-2.0
// What the recorder found, and its form as files of the fake driver. Pure: no driver, no disk.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/nvml/abi.h"

namespace gpusight::nvml {

// One answer: "call" or "call/parameters", and the members of its JSON object without braces.
struct CapturedAnswer {
  std::string key;
  std::string members;
};

struct CapturedProcess {
  uint32_t pid = 0;
  bool compute = false, graphics = false, mps = false;
  bool listed = true;  // else only its use was told
  uint64_t memory = 0;
  uint32_t gpu_instance = ~0u, compute_instance = ~0u;
  uint32_t use[4] = {};  // SM, memory, encoder, decoder, percent
};

struct CapturedMemory {
  uint64_t total = 0, reserved = 0, used = 0;
  bool known = false;
};

struct CapturedMig {
  std::string uuid, name;
  uint32_t gpu_instance = 0, compute_instance = 0;
  CapturedMemory memory;
  DeviceAttributes attributes{};
  std::vector<std::pair<uint32_t, double>> gpm;
};

struct CapturedDevice {
  Return handle = kSuccess;  // what asking for it said; the rest is empty then
  std::vector<CapturedAnswer> answers;
  CapturedMemory memory;
  bool mig_mode = false;
  std::vector<CapturedMig> mig;
  std::vector<CapturedProcess> processes;
};

struct Captured {
  std::string driver_version, nvml_version;
  int cuda_version = 0;
  std::vector<std::string> missing;  // functions that the driver does not have
  uint32_t record_bytes[4] = {};     // of process records by generation 1 to 3; 0: not seen
  std::vector<CapturedDevice> devices;
};

// The same stand-in for the same identifier.
class Pseudonyms {
 public:
  // "GPU-<32 digits>", "MIG-<32 digits>" and both old forms keep their form; other text is kept.
  std::string Uuid(std::string_view uuid);
  uint32_t Pid(uint32_t pid);

 private:
  std::map<std::string, int, std::less<>> uuids_;
  std::map<uint32_t, uint32_t> pids_;
};

// Text as JSON, in quotes.
[[nodiscard]] std::string JsonText(std::string_view text);
// A number that reads back as the same; NaN and infinities, which JSON lacks, become 0.
[[nodiscard]] std::string JsonNumber(double number);

// gpu-<n>.json and scenario.json.
[[nodiscard]] std::string RecordingText(const CapturedDevice& device, Pseudonyms& pseudonyms);
[[nodiscard]] std::string ScenarioText(const Captured& captured, Pseudonyms& pseudonyms);

}  // namespace gpusight::nvml
