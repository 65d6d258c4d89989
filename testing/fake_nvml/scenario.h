// SPDX-License-Identifier: Apache-2.0
// A scenario: the machine that the fake driver pretends to be, as plain data. Devices are a
// recording (what a real card answered to each call, value or return code) with tracks over time
// and overrides on top; rules make calls fail, hang or be slow at a time; quirks change how the
// driver itself behaves. README.md describes the file. Next: scenario_read.cc, then driver.h.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/result.h"
#include "testing/fake_nvml/calls.h"
#include "testing/fake_nvml/track.h"

namespace gpusight::fake {

struct Window {
  double from = -std::numeric_limits<double>::infinity();
  double until = std::numeric_limits<double>::infinity();
  bool Has(double time) const { return time >= from && time < until; }
};

// A call with its parameters packed into one number; 0 for a call without any.
struct Key {
  Call call = Call::kCount;
  uint64_t parameters = 0;
  friend bool operator==(const Key&, const Key&) = default;
};
struct KeyHash {
  size_t operator()(const Key& key) const {
    return static_cast<size_t>((key.parameters * 0x9e3779b97f4a7c15u) ^
                               (static_cast<uint64_t>(key.call) * 0xbf58476d1ce4e5b9u));
  }
};
// At most three: 32, 16 and 16 bits when there are three, else 32 and 32.
[[nodiscard]] uint64_t Pack(std::initializer_list<uint64_t> parameters);
// "nvmlDeviceGetTemperature/0" or "nvmlDeviceGetName"; nullopt when the fake has no such call.
[[nodiscard]] std::optional<Key> KeyNamed(std::string_view text);

using Item = std::variant<uint64_t, int64_t, double, std::string>;

// What a call answers: a code, or the out-parameters (fields of a structure) in their order.
struct Answer {
  int code = 0;
  double seconds = 0;  // how long the real call took; 0 when not recorded
  std::vector<Item> items;
  int type = -1;           // of a field value: the driver's value type
  bool unwritten = false;  // a field value that says success and writes nothing
};

// The named tracks of a device. Their rows in tracks.cc say which answers each one moves.
enum class TrackName : uint8_t {
  kUtilization,
  kMemoryActivity,
  kEncoder,
  kDecoder,
  kJpeg,
  kOfa,
  kPower,
  kMomentaryPower,
  kMemoryPower,
  kTemperature,
  kMarginTemperature,
  kMemoryTemperature,
  kFan,
  kSmClock,
  kMemoryClock,
  kVideoClock,
  kPState,
  kEventReasons,
  kPcieTx,
  kPcieRx,
  kNvlinkTx,
  kNvlinkRx,
  kPowerCapShare,
  kThermalShare,
  kSyncBoostShare,
  kSoftwareThermalShare,
  kHardwareThermalShare,
  kPowerBrakeShare,
  kCount
};
struct TrackRow {
  TrackName track;
  const char* name;  // in the scenario file
  Call call;
  uint64_t parameters;
  uint8_t item;   // which out-parameter
  double scale;   // from the track's unit to the driver's
  bool integral;  // a counter: recorded value + integral of the track
};
[[nodiscard]] const std::vector<TrackRow>& TrackRows();
[[nodiscard]] std::optional<TrackName> TrackNamed(std::string_view name);

// An answer that a track moves.
struct Moving {
  Track track;
  uint8_t item = 0;
  double scale = 1;
  bool integral = false;
};
struct Entry {
  Answer recorded;
  std::vector<Moving> moving;
};
using Answers = std::unordered_map<Key, Entry, KeyHash>;

struct MemorySpec {
  uint64_t total = 0, reserved = 0;
  Track used;      // bytes; empty: the processes' and the residual
  Track residual;  // bytes that belong to no process
};

using GpmTracks = std::unordered_map<uint32_t, Track>;

struct MigInstance {
  std::string uuid, name;
  uint32_t gpu_instance = 0, compute_instance = 0;
  MemorySpec memory;
  std::vector<Item> attributes;  // nvmlDeviceGetAttributes_v2, in order
  GpmTracks gpm;
};

struct ProcessSpec {
  uint32_t pid = 0;
  uint32_t utilization_pid = 0;  // what nvmlDeviceGetProcessUtilization calls it
  int gpu_instance = -1, compute_instance = -1;
  bool compute = true, graphics = false, mps = false;
  Track memory;         // bytes
  bool hidden = false;  // the driver does not say how much (all ones)
  bool listed = true;   // false: outside our PID namespace, only its utilisation shows
  Window alive;
  Track sm, memory_activity, encoder, decoder, jpeg, ofa;  // percent
  std::string name;
};

struct DeviceSpec {
  Answers answers;
  MemorySpec memory;
  std::array<Track, static_cast<size_t>(TrackName::kCount)> tracks;
  GpmTracks gpm;
  bool mig_mode = false;
  std::vector<MigInstance> mig;
  std::vector<Window> absent;  // not on the bus at all
  std::vector<ProcessSpec> processes;

  const Track& track(TrackName name) const { return tracks[static_cast<size_t>(name)]; }
  const Entry* Find(Key key) const;
  std::string Text(Call call) const;  // the recorded text, or empty
};

struct EventSpec {
  double at = 0;
  int device = 0;
  uint64_t type = 0, data = 0;
  uint32_t gpu_instance = ~0u, compute_instance = ~0u;
};

// Makes the calls that it names answer otherwise, in a window of time.
struct Rule {
  std::vector<bool> calls;  // by Call
  std::vector<Key> exact;   // single parameters of a call
  int device = -1;          // -1: any, also calls without a device
  Window window;
  bool until_init = false;      // once it has struck, also after the window, until a new nvmlInit
  uint64_t times = 0;           // only the first n; 0: always
  bool hang = false;            // until the window's end
  double delay = 0;             // seconds
  std::optional<Entry> answer;  // code or value
};

struct Quirks {
  std::array<uint32_t, 4> record_bytes = {0, 16, 24, 24};  // process record of generation 1, 2, 3
  bool swap_pid_and_memory = false;
  bool junk_process_samples = false;   // 100 records, most of them never written
  bool stale_process_samples = false;  // ended processes keep being reported
  bool recorded_latency = false;       // calls take as long as they took on the real machine
  std::vector<std::pair<double, int64_t>> clock_steps;  // at, by µs: the wall clock was set
};

struct Scenario {
  std::string about;
  std::string driver_version, nvml_version;
  int cuda_version = 0;
  double time_offset = 0, time_speed = 1;
  std::optional<double> wall_start;  // seconds since 1970 at time 0; else when it was loaded
  std::vector<DeviceSpec> devices;
  std::vector<EventSpec> events;
  std::vector<Rule> rules;
  Quirks quirks;
};

// How a recording that a scenario names is read.
using Reader = std::function<Result<std::string>(const std::string& path)>;

// `file` appears in errors.
[[nodiscard]] Result<Scenario> ParseScenario(std::string_view text, const std::string& file,
                                             const Reader& read_recording);
// Recordings are looked for beside the scenario.
[[nodiscard]] Result<Scenario> LoadScenario(const std::string& path);

}  // namespace gpusight::fake
