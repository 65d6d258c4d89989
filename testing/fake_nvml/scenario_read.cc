// SPDX-License-Identifier: Apache-2.0
// From JSON to a Scenario. Reading goes on after an error, so that the first one can be told with
// its place; nothing that was read is used then.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/fd.h"
#include "testing/fake_nvml/device_read.h"
#include "testing/fake_nvml/scenario.h"

namespace gpusight::fake {

namespace {

constexpr int kMaxProcesses = 100000;

void ReadProcess(const Node& node, std::vector<DeviceSpec>& devices) {
  node.Allow({"about",
              "pid",
              "utilization_pid",
              "device",
              "gpu_instance",
              "compute_instance",
              "types",
              "memory_bytes",
              "hidden",
              "listed",
              "from",
              "until",
              "sm_percent",
              "memory_activity_percent",
              "encoder_percent",
              "decoder_percent",
              "jpeg_percent",
              "ofa_percent",
              "name",
              "copies",
              "pid_step"});
  ProcessSpec process;
  process.pid = static_cast<uint32_t>(node["pid"].Unsigned());
  process.utilization_pid = static_cast<uint32_t>(node["utilization_pid"].Unsigned(process.pid));
  process.gpu_instance = node["gpu_instance"].Int(-1);
  process.compute_instance = node["compute_instance"].Int(-1);
  if (const Node types = node["types"]; types.there()) {
    process.compute = false;
    for (const Node& type : types.Elements()) {
      const std::string text = type.String();
      process.compute |= text == "compute";
      process.graphics |= text == "graphics";
      process.mps |= text == "mps";
      if (text != "compute" && text != "graphics" && text != "mps") {
        type.Fail("expected compute, graphics or mps");
      }
    }
  }
  process.memory = ReadTrack(node["memory_bytes"]);
  process.hidden = node["hidden"].Bool();
  process.listed = node["listed"].Bool(true);
  process.alive = ReadWindow(node);
  process.sm = ReadTrack(node["sm_percent"]);
  process.memory_activity = ReadTrack(node["memory_activity_percent"]);
  process.encoder = ReadTrack(node["encoder_percent"]);
  process.decoder = ReadTrack(node["decoder_percent"]);
  process.jpeg = ReadTrack(node["jpeg_percent"]);
  process.ofa = ReadTrack(node["ofa_percent"]);
  process.name = node["name"].String();

  const int copies = node["copies"].Int(1);
  const auto step = static_cast<uint32_t>(node["pid_step"].Int(1));
  const bool everywhere = node["device"].is_string() && node["device"].String() == "all";
  const int device = everywhere ? 0 : node["device"].Int(0);
  const int count = static_cast<int>(devices.size());
  if (device < 0 || device >= count) node["device"].Fail("there is no such device");
  if (copies < 1 || copies > kMaxProcesses) node["copies"].Fail("must be 1 to 100000");
  if (node.errors()->empty()) {
    const int last = everywhere ? count - 1 : device;
    for (int d = everywhere ? 0 : device; d <= last; ++d) {
      for (int i = 0; i < copies; ++i) {
        devices[static_cast<size_t>(d)].processes.push_back(process);
        process.pid += step;
        process.utilization_pid += step;
      }
    }
  }
}

EventSpec ReadEvent(const Node& node) {
  node.Allow({"about", "at", "device", "xid", "type", "data", "gpu_instance", "compute_instance"});
  EventSpec event;
  event.at = node["at"].Number();
  event.device = node["device"].Int();
  event.type = node["xid"].there() ? nvml::kEventXid : node["type"].Unsigned();
  event.data = node["xid"].there() ? node["xid"].Unsigned() : node["data"].Unsigned();
  event.gpu_instance = static_cast<uint32_t>(node["gpu_instance"].Unsigned(~0u));
  event.compute_instance = static_cast<uint32_t>(node["compute_instance"].Unsigned(~0u));
  return event;
}

// In order of time, of two at the same time the one that was named first.
void AddEvent(const EventSpec& event, std::vector<EventSpec>& events) {
  const auto later = [](double at, const EventSpec& other) { return at < other.at; };
  events.insert(std::upper_bound(events.begin(), events.end(), event.at, later), event);
}

// "nvmlDevice*" names every call that begins so, "nvmlDeviceGetTemperature/0" one parameter of one.
void AddCalls(const Node& node, Rule& rule) {
  const std::string text = node.String();
  bool any = false;
  if (!text.empty() && text.back() == '*') {
    const std::string_view start = std::string_view(text).substr(0, text.size() - 1);
    for (size_t i = 0; i < kCallCount; ++i) {
      const auto call = static_cast<Call>(i);
      // Leaving the driver works always, unless it is named.
      if (call == Call::nvmlShutdown) continue;
      if (!std::string_view(CallName(call)).starts_with(start)) continue;
      rule.calls[i] = any = true;
    }
  } else if (const auto key = KeyNamed(text)) {
    any = true;
    if (text.find('/') == std::string::npos) {
      rule.calls[static_cast<size_t>(key->call)] = true;
    } else {
      rule.exact.push_back(*key);
    }
  }
  if (!any) node.Fail("the fake driver has no such call");
}

Rule ReadRule(const Node& node) {
  node.Allow({"about", "calls", "device", "from", "until", "times", "hang", "delay_seconds", "code",
              "value", "track", "rate", "type", "until_init"});
  Rule rule;
  rule.calls.resize(kCallCount);
  if (node["calls"].is_array()) {
    for (const Node& call : node["calls"].Elements()) AddCalls(call, rule);
  } else {
    AddCalls(node["calls"], rule);
  }
  rule.device = node["device"].Int(-1);
  rule.window = ReadWindow(node);
  rule.until_init = node["until_init"].Bool();
  rule.times = node["times"].Unsigned();
  rule.hang = node["hang"].Bool();
  rule.delay = node["delay_seconds"].Number();
  const bool answers = node["code"].there() || node["value"].there() || node["track"].there();
  if (answers) rule.answer = ReadEntry(node, true);
  if (!answers && !rule.hang && rule.delay <= 0) {
    node.Fail("a rule needs one of code, value, track, hang or delay_seconds");
  }
  return rule;
}

Quirks ReadQuirks(const Node& node) {
  node.Allow({"process_record_bytes", "swap_pid_and_memory", "junk_process_samples",
              "stale_process_samples", "recorded_latency", "clock_steps"});
  Quirks quirks;
  const Node bytes = node["process_record_bytes"];
  bytes.Allow({"v1", "v2", "v3"});
  const char* const generations[] = {"", "v1", "v2", "v3"};
  for (size_t i = 1; i <= 3; ++i) {
    const int value = bytes[generations[i]].Int(static_cast<int>(quirks.record_bytes[i]));
    if (value != 16 && value != 24 && value != 32) bytes.Fail("must be 16, 24 or 32");
    quirks.record_bytes[i] = static_cast<uint32_t>(value);
  }
  quirks.swap_pid_and_memory = node["swap_pid_and_memory"].Bool();
  quirks.junk_process_samples = node["junk_process_samples"].Bool();
  quirks.stale_process_samples = node["stale_process_samples"].Bool();
  quirks.recorded_latency = node["recorded_latency"].Bool();
  for (const Node& step : node["clock_steps"].Elements()) {
    quirks.clock_steps.emplace_back(step["at"].Number(), step["by_us"].Int());
  }
  return quirks;
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::string Beside(const std::string& folder, const std::string& name) {
  return !name.empty() && name.front() == '/' ? name : folder + name;
}

void ReadDriver(const Node& driver, Scenario& scenario) {
  driver.Allow({"version", "nvml", "cuda"});
  if (!scenario.devices.empty() && scenario.driver_version.empty()) {
    const DeviceSpec& first = scenario.devices.front();
    scenario.driver_version = first.Text(Call::nvmlSystemGetDriverVersion);
    scenario.nvml_version = first.Text(Call::nvmlSystemGetNVMLVersion);
    const Entry* cuda = first.Find({Call::nvmlSystemGetCudaDriverVersion_v2, 0});
    if (cuda != nullptr && !cuda->recorded.items.empty()) {
      scenario.cuda_version = NumberOf<int>(cuda->recorded.items[0]);
    }
  }
  scenario.driver_version = driver["version"].String(scenario.driver_version);
  scenario.nvml_version = driver["nvml"].String(scenario.nvml_version);
  scenario.cuda_version = driver["cuda"].Int(scenario.cuda_version);
}

void ReadTime(const Node& time, Scenario& scenario) {
  time.Allow({"offset", "speed", "wall_start"});
  scenario.time_offset = time["offset"].Number(scenario.time_offset);
  scenario.time_speed = time["speed"].Number(scenario.time_speed);
  if (!(scenario.time_speed > 0)) time["speed"].Fail("must be above 0");
  if (time["wall_start"].there()) scenario.wall_start = time["wall_start"].Number();
}

Result<Scenario> Parse(std::string_view text, const std::string& file, const Reader& read,
                       int depth);

// What another scenario says; this one replaces parts of it and adds rules.
Result<Scenario> ReadBase(const Node& node, const Reader& read, int depth) {
  const std::string name = node.String();
  if (depth > 4) return Fail(ErrorCode::kBadInput, name + ": more than 4 scenarios deep");
  const auto text = read(name);
  if (!text) return tl::unexpected(text.error());
  const std::string folder = FolderOf(name);
  return Parse(
      *text, name, [&](const std::string& inner) { return read(Beside(folder, inner)); }, depth);
}

Result<Scenario> Parse(std::string_view text, const std::string& file, const Reader& read,
                       int depth) {
  const auto document = ParseJson(text, file);
  if (!document) return tl::unexpected(document.error());
  Node::Errors errors;
  const Node root(&*document, "", &errors);
  if (!root.is_object()) return Fail(ErrorCode::kBadInput, file + ": expected an object");
  root.Allow({"about", "base", "library", "missing", "driver", "time", "devices", "processes",
              "events", "rules", "quirks"});

  Scenario scenario;
  if (root["base"].there()) {
    auto base = ReadBase(root["base"], read, depth + 1);
    if (!base) return base;
    scenario = std::move(*base);
  }
  scenario.about = root["about"].String();
  if (root["devices"].there()) scenario.devices.clear();
  for (const Node& device : root["devices"].Elements()) {
    ReadDevice(device, read, scenario.devices);
  }
  ReadDriver(root["driver"], scenario);
  ReadTime(root["time"], scenario);
  if (root["processes"].there()) {
    for (DeviceSpec& device : scenario.devices) device.processes.clear();
  }
  for (const Node& process : root["processes"].Elements()) ReadProcess(process, scenario.devices);
  for (const Node& event : root["events"].Elements()) AddEvent(ReadEvent(event), scenario.events);
  for (const Node& rule : root["rules"].Elements()) scenario.rules.push_back(ReadRule(rule));
  if (root["quirks"].there()) scenario.quirks = ReadQuirks(root["quirks"]);

  if (!errors.empty()) return Fail(ErrorCode::kBadInput, file + ": " + errors.front());
  return scenario;
}

}  // namespace

Result<Scenario> ParseScenario(std::string_view text, const std::string& file,
                               const Reader& read_recording) {
  return Parse(text, file, read_recording, 0);
}

Result<Scenario> LoadScenario(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return tl::unexpected(text.error());
  const std::string folder = FolderOf(path);
  return ParseScenario(*text, path,
                       [&](const std::string& name) { return ReadFile(Beside(folder, name)); });
}

}  // namespace gpusight::fake
