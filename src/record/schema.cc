// SPDX-License-Identifier: Apache-2.0
#include "record/schema.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace gpusight::record {
namespace {

template <typename Field>
using Mask = FieldMask<Field>;

template <typename Field>
Mask<Field> MaskOf(std::initializer_list<Field> fields) {
  Mask<Field> mask;
  for (const Field field : fields) mask.set(static_cast<size_t>(field));
  return mask;
}

// Numbers that stand still for minutes, or whose changes are seldom and matter.
const Mask<DeviceField>& SlowDevice() {
  using F = DeviceField;
  static const auto mask = MaskOf<F>({F::kMemoryTotal,
                                      F::kMemoryDriverReserved,
                                      F::kBar1Total,
                                      F::kBar1Used,
                                      F::kTemperatureSlowdown,
                                      F::kTemperatureShutdown,
                                      F::kFan,
                                      F::kPowerLimit,
                                      F::kPowerLimitDefault,
                                      F::kPowerLimitMin,
                                      F::kPowerLimitMax,
                                      F::kSmClockMax,
                                      F::kMemoryClock,
                                      F::kMemoryClockMax,
                                      F::kPerformanceState,
                                      F::kClockEventSyncBoost,
                                      F::kClockEventSoftwareThermal,
                                      F::kClockEventHardwareThermal,
                                      F::kClockEventPowerBrake,
                                      F::kPcieGeneration,
                                      F::kPcieGenerationMax,
                                      F::kPcieWidth,
                                      F::kPcieWidthMax,
                                      F::kPcieReplays,
                                      F::kNvlinkLinks,
                                      F::kEccMode,
                                      F::kEccCorrected,
                                      F::kEccUncorrected,
                                      F::kEccCorrectedLifetime,
                                      F::kEccUncorrectedLifetime,
                                      F::kRemappedCorrectable,
                                      F::kRemappedUncorrectable,
                                      F::kRemapPending,
                                      F::kRemapFailed,
                                      F::kRetiredPages,
                                      F::kXidErrors,
                                      F::kLastXid,
                                      F::kPersistenceMode,
                                      F::kComputeMode,
                                      F::kMigMode});
  return mask;
}

const Mask<ProcessField>& SlowProcess() {
  using F = ProcessField;
  static const auto mask =
      MaskOf<F>({F::kThreads, F::kChildren, F::kLoaderWorkers, F::kAllowedCpus, F::kSwapped});
  return mask;
}
const Mask<ProcessField>& LazyProcess() {
  using F = ProcessField;
  static const auto mask =
      MaskOf<F>({F::kCpuUser, F::kCpuSystem, F::kPrivate, F::kShared, F::kMinorFaults,
                 F::kMajorFaults, F::kReadCalls, F::kWriteCalls, F::kBlockIoDelay,
                 F::kVoluntarySwitches, F::kInvoluntarySwitches, F::kOpenFiles});
  return mask;
}

const Mask<ContainerField>& SlowContainer() {
  using F = ContainerField;
  static const auto mask =
      MaskOf<F>({F::kCpuQuota, F::kCpusetCores, F::kMemoryPeak, F::kMemoryLimit, F::kMemorySwap,
                 F::kOomKills, F::kPidsLimit, F::kShmTotal});
  return mask;
}

const Mask<HostField>& SlowHost() {
  using F = HostField;
  static const auto mask =
      MaskOf<F>({F::kCpus, F::kMemoryTotal, F::kSwapTotal, F::kSwapUsed, F::kShmTotal});
  return mask;
}

constexpr std::array<std::string_view, kScopes> kNames = {
    "device", "use", "process", "container", "host", "framework", "allocator"};

constexpr std::string_view kDeviceKey[] = {"device"};
constexpr std::string_view kUseKey[] = {"process", "device"};
constexpr std::string_view kProcessKey[] = {"process"};
constexpr std::string_view kContainerKey[] = {"container"};
constexpr std::string_view kAllocatorKey[] = {"process", "ordinal"};
constexpr std::string_view kState[] = {"state"};
constexpr std::string_view kDeviceExtras[] = {"state", "process_count"};
constexpr std::string_view kTypes[] = {"types"};
constexpr std::string_view kLost[] = {"lost"};
constexpr std::string_view kAllocatorExtras[] = {"device", "age_seconds"};

struct Layout {
  std::array<std::vector<size_t>, 4> parts;
};

Layout LayoutOf(Scope scope) {
  Layout layout;
  const auto rows = RowsOf(scope);
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool fast = PaceOf(scope, i) == Pace::kEachFrame;
    layout.parts[static_cast<size_t>(fast ? Part::kFrame : Part::kSlow)].push_back(i);
    if (fast && HasMean(rows[i])) {
      layout.parts[static_cast<size_t>(Part::kLeast)].push_back(i);
      layout.parts[static_cast<size_t>(Part::kMost)].push_back(i);
    }
  }
  return layout;
}

}  // namespace

std::string_view ScopeName(Scope scope) { return kNames[static_cast<size_t>(scope)]; }

std::span<const CatalogRow> RowsOf(Scope scope) {
  switch (scope) {
    case Scope::kDevice:
      return DeviceRows();
    case Scope::kUse:
      return UseRows();
    case Scope::kProcess:
      return ProcessRows();
    case Scope::kContainer:
      return ContainerRows();
    case Scope::kHost:
      return HostRows();
    case Scope::kFramework:
      return FrameworkRows();
    case Scope::kAllocator:
      return AllocatorRows();
    case Scope::kCount:
      break;
  }
  return {};
}

Pace PaceOf(Scope scope, size_t field) {
  const bool slow = (scope == Scope::kDevice && SlowDevice()[field]) ||
                    (scope == Scope::kProcess && SlowProcess()[field]) ||
                    (scope == Scope::kContainer && SlowContainer()[field]) ||
                    (scope == Scope::kHost && SlowHost()[field]);
  if (slow) return Pace::kOnChange;
  const bool lazy = (scope == Scope::kProcess && LazyProcess()[field]) ||
                    (scope == Scope::kHost && field == static_cast<size_t>(HostField::kUptime));
  return lazy ? Pace::kLazy : Pace::kEachFrame;
}

std::string TableName(Scope scope, Part part) {
  constexpr std::array<std::string_view, 4> kSuffixes = {"frame", "slow", "min", "max"};
  return fmt::format("{}_{}", ScopeName(scope), kSuffixes[static_cast<size_t>(part)]);
}

const std::vector<size_t>& FieldsOf(Scope scope, Part part) {
  static const auto layouts = [] {
    std::array<Layout, kScopes> all;
    for (size_t i = 0; i < kScopes; ++i) all[i] = LayoutOf(static_cast<Scope>(i));
    return all;
  }();
  return layouts[static_cast<size_t>(scope)].parts[static_cast<size_t>(part)];
}

std::span<const std::string_view> KeysOf(Scope scope) {
  switch (scope) {
    case Scope::kDevice:
      return kDeviceKey;
    case Scope::kUse:
      return kUseKey;
    case Scope::kProcess:
    case Scope::kFramework:
      return kProcessKey;
    case Scope::kContainer:
      return kContainerKey;
    case Scope::kAllocator:
      return kAllocatorKey;
    case Scope::kHost:
    case Scope::kCount:
      break;
  }
  return {};
}

std::span<const std::string_view> ExtrasOf(Scope scope) {
  switch (scope) {
    case Scope::kDevice:
      return kDeviceExtras;
    case Scope::kUse:
      return kTypes;
    case Scope::kProcess:
      return kState;
    case Scope::kFramework:
      return kLost;
    case Scope::kAllocator:
      return kAllocatorExtras;
    case Scope::kContainer:
    case Scope::kHost:
    case Scope::kCount:
      break;
  }
  return {};
}

bool HasMean(const CatalogRow& row) {
  const bool peak = row.name.find("_peak_") != std::string_view::npos;
  return row.kind == Kind::kGauge && !peak && row.unit != Unit::kMask &&
         (row.unit != Unit::kNumber || row.name == "load_1m");
}

std::string_view SqlType(Unit unit) {
  switch (unit) {
    case Unit::kBytes:
    case Unit::kCount:
    case Unit::kHertz:
    case Unit::kMask:
      return "INTEGER";
    case Unit::kNumber:
      return "NUMERIC";
    default:
      return "REAL";
  }
}

std::string SchemaSql() {
  std::string sql = fmt::format("PRAGMA application_id={};PRAGMA user_version={};", kApplicationId,
                                kSchemaVersion);
  auto out = std::back_inserter(sql);
  for (const Table& table : Tables()) {
    fmt::format_to(out, "CREATE TABLE {}(", table.name);
    bool first = true;
    const auto add = [&](std::string_view name, std::string_view type) {
      fmt::format_to(out, "{}{} {}", first ? "" : ",", name, type);
      first = false;
    };
    for (const Column& column : table.columns) add(column.name, column.type);
    if (table.scope != Scope::kCount) {
      const auto rows = RowsOf(table.scope);
      for (const size_t field : FieldsOf(table.scope, table.part)) {
        add(rows[field].name, SqlType(rows[field].unit));
      }
    }
    if (table.key.empty()) {
      sql += ");";
    } else {
      fmt::format_to(out, ",PRIMARY KEY({}))WITHOUT ROWID;", table.key);
    }
  }
  sql +=
      "CREATE INDEX process_pid ON process(pid);"
      "CREATE INDEX mark_t ON mark(t);"
      "CREATE INDEX event_t ON event(t);"
      "CREATE INDEX out_of_memory_t ON out_of_memory(t);"
      "CREATE UNIQUE INDEX finding_key ON "
      "finding(rule,form,device_uuid,pid,start_ticks,opened_time);";
  for (const View& view : Views()) {
    fmt::format_to(out, "CREATE VIEW {} AS {};", view.name, view.sql);
  }
  return sql;
}

}  // namespace gpusight::record
