// SPDX-License-Identifier: Apache-2.0
#include "record/decoder.h"

#include <algorithm>
#include <numeric>

#include "record/columns.h"
#include "record/reasons.h"
#include "record/samples.h"

namespace gpusight::record {
namespace {

constexpr int64_t kLastTime = 9'000'000'000'000'000'000;
constexpr size_t kMostDevices = 1024;
constexpr size_t kMostProcesses = 20'000;

// Puts `items` and their ids into the order of `less`.
template <typename Item, typename Less>
void SortWithIds(std::vector<Item>& items, std::vector<int64_t>& ids, Less less) {
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return less(items[a], items[b]); });
  std::vector<Item> sorted;
  std::vector<int64_t> sorted_ids;
  sorted.reserve(items.size());
  for (const size_t i : order) {
    sorted.push_back(std::move(items[i]));
    sorted_ids.push_back(ids[i]);
  }
  items = std::move(sorted);
  ids = std::move(sorted_ids);
}

size_t PositionOf(const std::vector<int64_t>& ids, int64_t id) {
  return static_cast<size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
}

}  // namespace

Decoder::Decoder(Database& database, Depth depth)
    : database_(database), depth_(depth), identities_(database) {
  for (size_t i = 0; i < kScopes; ++i) readers_.emplace_back(database, static_cast<Scope>(i));
  constexpr std::string_view kBetween = "WHERE t>? AND t<=? ORDER BY t";
  frame_ = Select(database, "frame", {"t", "time", "interval_seconds", "merged"},
                  "WHERE t>? ORDER BY t LIMIT 1");
  absence_ =
      Select(database, "absence", {"scope", "entity", "part", "field", "reason", "code"}, kBetween);
  if (depth == Depth::kNumbers) return;
  machine_ =
      Select(database, "machine",
             {"hostname", "kernel", "boot_id", "sees_all_processes", "driver_state", "driver_code",
              "driver_message", "driver_library", "driver_version", "nvml_version", "cuda_version"},
             kBetween);
  samples_ = Select(database, "device_samples",
                    {"device", "utilization", "memory_activity", "power"}, "WHERE t=?");
  events_ = Select(database, "event", {"time", "type", "device", "number"}, kBetween);
  steps_ =
      Select(database, "step",
             {"t", "process", "number", "microseconds", "data_microseconds", "merged"}, kBetween);
  stacks_ = Select(database, "stack_sample", {"process", "stack", "times"}, kBetween);
  marks_ = Select(database, "mark", {"time", "process", "type", "value", "text"}, kBetween);
  ooms_ = Select(database, "out_of_memory",
                 {"time", "process", "ordinal", "requested_bytes", "total_bytes", "free_bytes",
                  "allocated_bytes", "reserved_bytes", "active_bytes", "inactive_split_bytes",
                  "stack", "caught"},
                 kBetween);
  probes_ = Select(
      database, "probe_frame",
      {"probe", "duration_seconds", "lateness_seconds", "failures", "rejected", "calls"}, kBetween);
}

void Decoder::Demand(bool good) {
  if (good || failed_) return;
  failed_ = true;
  trouble_ = database_.trouble();
  error_ = database_.error();
}

bool Decoder::SeekAfter(int64_t t) {
  for (WideReader& reader : readers_) reader.Clear();
  t_ = INT64_MIN;
  failed_ = false;
  trouble_ = Trouble::kNone;
  last_probes_.clear();
  if (!Advance(t)) return false;
  t_ = t;
  return true;
}

bool Decoder::Advance(int64_t to) {
  for (WideReader& reader : readers_) {
    Demand(reader.Advance(t_, to));
  }
  if (absence_) {
    absence_.Bind(1, t_).Bind(2, to);
    while (absence_.Row()) {
      for (size_t i = 0; i < kScopes; ++i) {
        if (ScopeName(static_cast<Scope>(i)) != absence_.Text(0)) continue;
        readers_[i].SetReason({absence_.Integer(1), absence_.Integer(2)}, absence_.Text(3),
                              {ParseReason(absence_.Text(4)), IntOf(absence_, 5)});
      }
    }
    Check(absence_);
    absence_.Reset();
  }
  if (machine_) ReadMachine(t_, to);
  return !failed_;
}

void Decoder::ReadMachine(int64_t from, int64_t to) {
  machine_.Bind(1, from).Bind(2, to);
  while (machine_.Row()) {
    host_.hostname = TextOf(machine_, 0);
    host_.kernel = TextOf(machine_, 1);
    host_.boot_id = TextOf(machine_, 2);
    host_.sees_all_processes =
        machine_.IsNull(3) ? Known<bool>() : Known<bool>(machine_.Integer(3) != 0);
    const int state = IntOf(machine_, 4);
    const bool honest = state >= 0 && state <= static_cast<int>(DriverState::kNoAnswer);
    driver_.state = honest ? static_cast<DriverState>(state) : DriverState::kError;
    driver_.code = IntOf(machine_, 5);
    driver_.message = TextOf(machine_, 6);
    driver_.library = TextOf(machine_, 7);
    driver_.version = TextOf(machine_, 8);
    driver_.nvml_version = TextOf(machine_, 9);
    driver_.cuda_version = TextOf(machine_, 10);
  }
  Check(machine_);
  machine_.Reset();
}

bool Decoder::Next(Frame& frame) {
  if (failed_ || !frame_) return false;
  if (!frame_.Bind(1, t_).Row()) {
    Check(frame_);
    frame_.Reset();
    return false;
  }
  const int64_t from = t_;
  const int64_t to = frame_.Integer(0);
  frame = Frame{};
  frame.sequence = ++sequence_;
  frame.time.ns = std::clamp<int64_t>(frame_.Integer(1), 0, kLastTime);
  frame.interval_seconds = frame_.Real(2);
  merged_ = std::max<int64_t>(1, frame_.Integer(3));
  frame_.Reset();
  constexpr int64_t kLastMs = INT64_MAX / 1'000'000;
  frame.mono.ns = std::clamp(to, -kLastMs, kLastMs) * 1'000'000;
  if (!Advance(to)) return false;
  t_ = to;
  frame.driver = driver_;
  frame.host = host_;
  ids_.Clear();
  ReadDevices(frame);
  ReadContainers(frame);
  ReadProcesses(frame);
  ReadUses(frame);
  Demand(Of(Scope::kHost).Rows(t_, [&](Key, Values values, Values) {
    std::copy(values.begin(), values.end(), ValuesOf(frame.host.fields).begin());
  }));
  ReadFrameworks(frame);
  if (depth_ == Depth::kAll && !failed_) {
    ReadSamples(frame);
    ReadEvents(frame, from);
    ReadSteps(frame, from);
    ReadStacks(frame, from);
    ReadMarks(frame, from);
    ReadProbes(frame, from);
  }
  return !failed_;
}

void Decoder::ReadDevices(Frame& frame) {
  const bool good = Of(Scope::kDevice).Rows(t_, [&](Key key, Values values, Values extras) {
    if (frame.devices.size() >= kMostDevices) return;
    DeviceSample& device = frame.devices.emplace_back();
    ids_.devices.push_back(key.entity);
    std::copy(values.begin(), values.end(), ValuesOf(device.fields).begin());
    const double state = extras[0].value_or(0);
    device.state = state >= 0 && state <= static_cast<double>(DeviceState::kNoAnswer)
                       ? static_cast<DeviceState>(static_cast<int>(state))
                       : DeviceState::kAbsent;
    device.process_count = extras[1];
    if (depth_ == Depth::kNumbers) return;
    if (const DeviceInfo* info = identities_.Device(key.entity)) device.info = *info;
  });
  Demand(good);
  SortWithIds(frame.devices, ids_.devices, [](const DeviceSample& a, const DeviceSample& b) {
    const auto place = [](const DeviceInfo& d) {
      return std::tuple(d.index, !d.parent_uuid.empty(), d.gpu_instance, d.compute_instance);
    };
    return place(a.info) < place(b.info);
  });
}

void Decoder::ReadContainers(Frame& frame) {
  const bool good = Of(Scope::kContainer).Rows(t_, [&](Key key, Values values, Values) {
    if (frame.containers.size() >= kMostProcesses) return;
    ContainerSample& container = frame.containers.emplace_back();
    ids_.containers.push_back(key.entity);
    if (depth_ == Depth::kAll) {
      if (const ContainerSample* known = identities_.Container(key.entity)) container = *known;
    }
    std::copy(values.begin(), values.end(), ValuesOf(container.fields).begin());
  });
  Demand(good);
}

void Decoder::ReadProcesses(Frame& frame) {
  const bool good = Of(Scope::kProcess).Rows(t_, [&](Key key, Values values, Values extras) {
    if (frame.processes.size() >= kMostProcesses) return;
    ProcessSample& process = frame.processes.emplace_back();
    ids_.processes.push_back(key.entity);
    if (depth_ == Depth::kAll) {
      if (const RecordedProcess* known = identities_.Process(key.entity)) process = known->sample;
      const size_t container = PositionOf(ids_.containers, identities_.ContainerOf(key.entity));
      if (container < frame.containers.size())
        process.container_index = static_cast<int>(container);
    }
    process.zombie = extras[0].known();
    std::copy(values.begin(), values.end(), ValuesOf(process.fields).begin());
  });
  Demand(good);
  SortWithIds(frame.processes, ids_.processes,
              [](const ProcessSample& a, const ProcessSample& b) { return a.pid < b.pid; });
}

void Decoder::ReadUses(Frame& frame) {
  std::map<int64_t, size_t> processes;
  for (size_t i = 0; i < ids_.processes.size(); ++i) processes[ids_.processes[i]] = i;
  const bool good = Of(Scope::kUse).Rows(t_, [&](Key key, Values values, Values extras) {
    const auto process = processes.find(key.entity);
    const size_t device = PositionOf(ids_.devices, key.part);
    if (process == processes.end() || device >= frame.devices.size()) return;
    GpuUse& use = frame.processes[process->second].uses.emplace_back();
    use.device = static_cast<int>(device);
    const double types = extras[0].value_or(0);
    use.types = types >= 0 && types < 256 ? static_cast<uint8_t>(types) : uint8_t{0};
    std::copy(values.begin(), values.end(), ValuesOf(use.fields).begin());
  });
  Demand(good);
  for (ProcessSample& process : frame.processes) {
    std::sort(process.uses.begin(), process.uses.end(),
              [](const GpuUse& a, const GpuUse& b) { return a.device < b.device; });
  }
}

void Decoder::ReadFrameworks(Frame& frame) {
  bool good = Of(Scope::kFramework).Rows(t_, [&](Key key, Values values, Values extras) {
    if (frame.frameworks.size() >= kMostProcesses) return;
    FrameworkSample& framework = frame.frameworks.emplace_back();
    ids_.frameworks.push_back(key.entity);
    if (depth_ == Depth::kAll) {
      if (const FrameworkSample* known = identities_.Framework(key.entity)) framework = *known;
    }
    const double lost = extras[0].value_or(0);
    framework.lost = lost > 0 && lost < 1e18 ? static_cast<uint64_t>(lost) : 0;
    std::copy(values.begin(), values.end(), ValuesOf(framework.fields).begin());
  });
  Demand(good);
  SortWithIds(frame.frameworks, ids_.frameworks,
              [](const FrameworkSample& a, const FrameworkSample& b) { return a.pid < b.pid; });
  good = Of(Scope::kAllocator).Rows(t_, [&](Key key, Values values, Values extras) {
    const size_t at = PositionOf(ids_.frameworks, key.entity);
    if (at >= frame.frameworks.size()) return;
    if (key.part < 0 || key.part > 65'535) return;
    AllocatorSample& allocator = frame.frameworks[at].allocators.emplace_back();
    allocator.ordinal = static_cast<int>(key.part);
    if (extras[0]) {
      const double id = *extras[0];
      const size_t device =
          id > 0 && id < 1e9 ? PositionOf(ids_.devices, static_cast<int64_t>(id)) : SIZE_MAX;
      if (device < frame.devices.size()) {
        allocator.device = static_cast<int>(device);
        allocator.uuid = frame.devices[device].info.uuid;
      }
    }
    allocator.age = extras[1];
    std::copy(values.begin(), values.end(), ValuesOf(allocator.fields).begin());
  });
  Demand(good);
}

}  // namespace gpusight::record
