// SPDX-License-Identifier: Apache-2.0
#include "record/tables.h"

#include <algorithm>
#include <map>

#include "record/finding_json.h"
#include "record/roles.h"
#include "record/schema.h"
#include "record/wide_rows.h"

namespace gpusight::record {
namespace {

// In the order of ExportTables().
enum : size_t {
  kFacts,
  kDevices,
  kProcesses,
  kDeviceFrames,
  kProcessFrames,
  kUseFrames,
  kContainerFrames,
  kHostFrames,
  kFrameworkFrames,
  kAllocatorFrames,
  kSamples,
  kSteps,
  kStackSamples,
  kStacks,
  kMarks,
  kOutOfMemories,
  kEvents,
  kFindings
};

constexpr TableColumn kTime{"time", CellType::kTime};
constexpr TableColumn kInterval{"interval_seconds", CellType::kReal, "seconds"};
constexpr TableColumn kDevice{"device_index", CellType::kInteger};
constexpr TableColumn kUuid{"uuid", CellType::kText};
constexpr TableColumn kPid{"pid", CellType::kInteger};
constexpr TableColumn kStart{"start_ticks", CellType::kInteger};
constexpr TableColumn kRank{"rank", CellType::kInteger};

TableColumn Text(std::string_view name) { return {name, CellType::kText}; }
TableColumn Integer(std::string_view name) { return {name, CellType::kInteger}; }
TableColumn Bytes(std::string_view name) { return {name, CellType::kInteger, "bytes"}; }
TableColumn Seconds(std::string_view name) { return {name, CellType::kReal, "seconds"}; }

// Whole numbers stay whole when frames are merged only where a mean has no fraction.
CellType TypeOf(Unit unit) {
  return unit == Unit::kBytes || unit == Unit::kHertz || unit == Unit::kMask ? CellType::kInteger
                                                                             : CellType::kReal;
}

ExportTable Wide(std::string_view name, Scope scope, std::vector<TableColumn> columns) {
  for (const CatalogRow& row : RowsOf(scope)) {
    columns.push_back({row.name, TypeOf(row.unit), UnitName(row.unit).english});
  }
  return {name, std::move(columns)};
}

std::vector<ExportTable> MakeTables() {
  std::vector<ExportTable> t;
  t.push_back({"fact", {Text("kind"), Text("name"), Text("value")}});
  t.push_back({"device",
               {kUuid, kDevice, Text("name"), Text("pci_bus_id"), Text("parent_uuid"),
                Text("architecture"), Text("compute_capability"), Integer("multiprocessors")}});
  t.push_back({"process",
               {kPid,
                kStart,
                {"first_time", CellType::kTime},
                {"last_time", CellType::kTime},
                Text("user"),
                Text("command"),
                Text("command_line"),
                Text("role"),
                Text("container"),
                Integer("parent"),
                kRank,
                Integer("world_size"),
                Text("framework"),
                Text("framework_version"),
                Text("dtype")}});
  t.push_back(Wide("device_frame", Scope::kDevice, {kTime, kInterval, kUuid, kDevice}));
  t.push_back(Wide("process_frame", Scope::kProcess, {kTime, kInterval, kPid, kStart}));
  t.push_back(Wide("use_frame", Scope::kUse, {kTime, kInterval, kPid, kStart, kUuid, kDevice}));
  t.push_back(Wide("container_frame", Scope::kContainer, {kTime, kInterval, Text("path")}));
  t.push_back(Wide("host_frame", Scope::kHost, {kTime, kInterval}));
  t.push_back(Wide("framework_frame", Scope::kFramework, {kTime, kInterval, kPid, kStart}));
  t.push_back(Wide("allocator_frame", Scope::kAllocator,
                   {kTime, kInterval, kPid, kStart, Integer("ordinal"), kUuid}));
  t.push_back({"sample", {kTime, kUuid, kDevice, Text("metric"), {"value", CellType::kReal}}});
  t.push_back(
      {"step",
       {kTime, kPid, kStart, kRank, Integer("number"), Seconds("seconds"), Seconds("data_seconds"),
        Integer("merged"), Seconds("min_seconds"), Seconds("max_seconds")}});
  t.push_back({"stack_sample", {kTime, kPid, kStart, Text("stack")}});
  t.push_back(
      {"stack", {kPid, kStart, Text("stack"), Integer("samples"), Integer("idle_samples")}});
  t.push_back(
      {"mark", {kTime, kPid, kStart, Text("type"), {"value", CellType::kReal}, Text("text")}});
  t.push_back(
      {"out_of_memory",
       {kTime, kPid, kStart, Integer("ordinal"), Bytes("requested_bytes"), Bytes("total_bytes"),
        Bytes("free_bytes"), Bytes("allocated_bytes"), Bytes("reserved_bytes"),
        Bytes("active_bytes"), Bytes("inactive_split_bytes"), Text("stack"), Integer("caught")}});
  t.push_back({"event", {kTime, Text("type"), kUuid, Integer("number")}});
  t.push_back({"finding",
               {{"opened_time", CellType::kTime},
                {"updated_time", CellType::kTime},
                {"closed_time", CellType::kTime},
                Text("rule"),
                Text("form"),
                Text("level"),
                {"severity", CellType::kReal, "ratio"},
                {"confidence", CellType::kReal, "ratio"},
                {"seconds_left", CellType::kReal, "seconds"},
                kUuid,
                kPid,
                kStart,
                Integer("rank"),
                Text("place"),
                Text("behind"),
                Text("text_en"),
                Text("text_zh"),
                Text("evidence")}});
  return t;
}

TableCell Cell(const Known<std::string>& text) {
  return text ? TableCell(std::string_view(*text)) : TableCell();
}
TableCell Cell(const std::string& text) { return std::string_view(text); }
TableCell Cell(std::string_view text) { return text; }
TableCell Cell(int64_t number) { return number; }
TableCell Whole(uint64_t number) { return static_cast<int64_t>(number); }
TableCell NotNegative(int number) { return number < 0 ? TableCell() : TableCell(int64_t{number}); }

class Exporter {
 public:
  Exporter(const Recording& recording, Span span, TableSink& sink)
      : recording_(recording), span_(span), sink_(sink) {}

  Result<void> Write() {
    Facts();
    Identities();
    FrameCursor cursor = recording_.Frames(span_.begin);
    Frame frame;
    while (going_ && cursor.Next(frame) && (span_.end.ns == 0 || frame.time < span_.end)) {
      OneFrame(frame);
    }
    if (auto trouble = cursor.trouble()) return tl::unexpected(std::move(*trouble));
    StepsAndStacks();
    Findings();
    return {};
  }

 private:
  void Put(size_t table, std::initializer_list<TableCell> cells) {
    cells_.assign(cells);
    Flush(table);
  }
  void Flush(size_t table) { going_ = going_ && sink_.Row(table, cells_); }

  // The cells so far and the numbers behind them.
  void PutWide(size_t table, Scope scope, std::initializer_list<TableCell> cells, Values values) {
    cells_.assign(cells);
    const auto rows = RowsOf(scope);
    for (size_t i = 0; i < values.size(); ++i) {
      if (!values[i]) {
        cells_.emplace_back();
      } else if (TypeOf(rows[i].unit) == CellType::kInteger) {
        cells_.emplace_back(static_cast<int64_t>(std::clamp(*values[i], -9e18, 9e18)));
      } else {
        cells_.emplace_back(*values[i]);
      }
    }
    Flush(table);
  }

  void Facts() {
    const Summary summary = recording_.Read();
    const RunFacts& facts = summary.facts;
    const auto put = [&](std::string_view kind, std::string_view name, std::string_view value) {
      Put(kFacts, {kind, name, value});
    };
    put("run", "name", facts.name);
    put("run", "folder", facts.folder);
    put("run", "git_commit", facts.git_commit);
    put("run", "end", summary.end.kind);
    if (summary.end.code) put("run", "exit_code", std::to_string(*summary.end.code));
    if (summary.end.signal) put("run", "exit_signal", std::to_string(*summary.end.signal));
    put("machine", "hostname", summary.hostname);
    put("machine", "kernel", summary.kernel);
    put("machine", "driver", summary.driver.version);
    for (const std::string& argument : facts.arguments) put("argument", "", argument);
    for (const auto& [name, value] : facts.tags) put("tag", name, value);
    for (const auto& [name, value] : facts.environment) put("environment", name, value);
    for (const auto& [name, value] : facts.versions) put("version", name, value);
  }

  void Identities() {
    for (const RecordedDevice& device : recording_.Devices()) {
      const DeviceInfo& d = device.info;
      Put(kDevices,
          {Cell(d.uuid), Cell(d.index), Cell(d.name), Cell(d.pci_bus_id), Cell(d.parent_uuid),
           Cell(d.architecture), Cell(d.compute_capability), Cell(d.multiprocessors)});
    }
    for (const RecordedProcess& process : recording_.Processes()) {
      const ProcessSample& p = process.sample;
      const FrameworkSample& f = process.framework;
      Put(kProcesses,
          {Cell(p.pid), Whole(p.start_ticks), process.seen.begin, process.seen.end, Cell(p.user),
           Cell(p.command), Cell(p.command_line), RoleName(p.role), Cell(p.container),
           Cell(p.parent), NotNegative(p.rank), NotNegative(p.world_size),
           std::string_view(FrameworkName(f.framework)), Cell(f.version), Cell(f.dtype)});
    }
  }

  void OneFrame(const Frame& frame) {
    const TableCell time = frame.time, interval = frame.interval_seconds;
    for (const DeviceSample& d : frame.devices) {
      PutWide(kDeviceFrames, Scope::kDevice,
              {time, interval, Cell(d.info.uuid), Cell(d.info.index)}, ValuesOf(d.fields));
      Samples(d, "utilization_ratio", d.utilization_ring);
      Samples(d, "memory_activity_ratio", d.memory_activity_ring);
      Samples(d, "power_watts", d.power_ring);
    }
    for (const ProcessSample& p : frame.processes) {
      PutWide(kProcessFrames, Scope::kProcess, {time, interval, Cell(p.pid), Whole(p.start_ticks)},
              ValuesOf(p.fields));
      for (const GpuUse& use : p.uses) {
        const DeviceInfo& d = frame.devices[static_cast<size_t>(use.device)].info;
        PutWide(kUseFrames, Scope::kUse,
                {time, interval, Cell(p.pid), Whole(p.start_ticks), Cell(d.uuid), Cell(d.index)},
                ValuesOf(use.fields));
      }
    }
    for (const ContainerSample& c : frame.containers) {
      PutWide(kContainerFrames, Scope::kContainer, {time, interval, Cell(c.path)},
              ValuesOf(c.fields));
    }
    PutWide(kHostFrames, Scope::kHost, {time, interval}, ValuesOf(frame.host.fields));
    for (const FrameworkSample& f : frame.frameworks) Framework(frame, f);
    for (const Event& e : frame.events) {
      Put(kEvents,
          {e.time, std::string_view(EventName(e.type)), Cell(e.device_uuid), Cell(e.number)});
    }
  }

  void Samples(const DeviceSample& d, std::string_view metric, const std::vector<SubSample>& ring) {
    for (const SubSample& sample : ring) {
      Put(kSamples, {sample.time, Cell(d.info.uuid), Cell(d.info.index), metric, sample.value});
    }
  }

  void Framework(const Frame& frame, const FrameworkSample& f) {
    const TableCell pid = Cell(f.pid), start = Whole(f.start_ticks);
    PutWide(kFrameworkFrames, Scope::kFramework, {frame.time, frame.interval_seconds, pid, start},
            ValuesOf(f.fields));
    for (const AllocatorSample& a : f.allocators) {
      PutWide(kAllocatorFrames, Scope::kAllocator,
              {frame.time, frame.interval_seconds, pid, start, Cell(a.ordinal), Cell(a.uuid)},
              ValuesOf(a.fields));
    }
    for (const StackSample& s : f.stack_samples) {
      Put(kStackSamples, {s.time, pid, start, Cell(f.stacks[s.stack])});
    }
    for (const Mark& m : f.marks) {
      Put(kMarks, {m.time, pid, start, MarkName(m.type), m.value, Cell(m.text)});
    }
    for (const OutOfMemory& o : f.out_of_memory) {
      Put(kOutOfMemories, {o.time, pid, start, Cell(o.ordinal), Whole(o.requested), Whole(o.total),
                           Whole(o.free), Whole(o.allocated), Whole(o.reserved), Whole(o.active),
                           Whole(o.inactive_split), Cell(o.stack), Cell(o.caught ? 1 : 0)});
    }
  }

  // Not by frames, which do not tell merged ones.
  void StepsAndStacks() {
    for (const RecordedProcess& process : recording_.Processes()) {
      const ProcessSample& p = process.sample;
      if (!going_) return;
      for (const RecordedStep& s : recording_.Steps(process.id, span_)) {
        Put(kSteps, {s.step.end, Cell(p.pid), Whole(p.start_ticks),
                     NotNegative(process.framework.rank), Whole(s.step.number), s.step.seconds,
                     s.step.data_seconds, Cell(s.merged), s.least, s.most});
      }
      for (const StackCount& s : recording_.Stacks(process.id, span_)) {
        Put(kStacks, {Cell(p.pid), Whole(p.start_ticks), Cell(s.stack), Whole(s.samples),
                      Whole(s.idle_samples)});
      }
    }
  }

  void Findings() {
    for (const FindingRow& row : recording_.Findings()) {
      const Finding& f = row.finding;
      const std::string evidence = EvidenceJson(f.evidence);
      const TableCell closed = f.is_open() ? TableCell() : TableCell(f.closed);
      const TableCell left = f.seconds_left ? TableCell(*f.seconds_left) : TableCell();
      Put(kFindings, {f.opened, f.updated, closed, Cell(f.rule), Cell(f.form),
                      Cell(LevelName(f.level)), f.severity, f.confidence, left, Cell(f.device_uuid),
                      Cell(f.pid), Whole(f.start_ticks), Cell(f.rank), Cell(f.place),
                      Cell(f.behind), Cell(row.english), Cell(row.chinese), Cell(evidence)});
    }
  }

  const Recording& recording_;
  const Span span_;
  TableSink& sink_;
  std::vector<TableCell> cells_;
  bool going_ = true;
};

}  // namespace

const std::vector<ExportTable>& ExportTables() {
  static const std::vector<ExportTable> tables = MakeTables();
  return tables;
}

Result<void> WriteTables(const Recording& recording, Span span, TableSink& sink) {
  return Exporter(recording, span, sink).Write();
}

}  // namespace gpusight::record
