// SPDX-License-Identifier: Apache-2.0
// A process, its steps, and what it did while its device was idle.
#include "export/names.h"
#include "report/flame.h"
#include "report/json_parts.h"

namespace gpusight::report {
namespace {

constexpr size_t kMostPlaces = 30;

std::string_view WhyName(IdleReport::Why why) {
  using Why = IdleReport::Why;
  switch (why) {
    case Why::kKnown:
      return "known";
    case Why::kNoSamples:
      return "no_samples";
    case Why::kNoStacks:
      return "no_stacks";
    case Why::kUnsteadyClock:
      return "unsteady_clock";
    case Why::kNeverMet:
      return "never_met";
  }
  return "";
}

void WriteFramework(JsonWriter& json, const FrameworkSample& framework) {
  json.Key("framework");
  json.BeginObject();
  const Missing none{framework.pid == 0 ? Absence::kNotApplicable : Absence::kNotSupported, 0};
  json.MemberOr("name", FrameworkName(framework.framework), none);
  json.MemberOr("version", framework.version, none);
  json.MemberOr("python", framework.python, none);
  json.MemberOr("script", framework.script, none);
  json.MemberOr("dtype", framework.dtype, none);
  json.MemberOr("settings", framework.settings, none);
  json.Member("mixed_precision", framework.mixed_precision);
  json.Member("compiled", framework.compiled);
  json.EndObject();
}

}  // namespace

void WriteProcess(JsonWriter& json, const ProcessReport& process) {
  const ProcessSample& id = process.identity;
  json.BeginObject();
  json.Member("pid", id.pid);
  json.Member("parent", id.parent);
  json.Member("in_job", id.in_job);
  json.Member("role", exporting::Name(id.role));
  json.Member("user", id.user);
  json.Member("command", id.command);
  json.Member("command_line", id.command_line);
  json.Member("container", id.container);
  const int rank = id.rank >= 0 ? id.rank : process.framework.rank;
  const int world = id.world_size >= 0 ? id.world_size : process.framework.world_size;
  json.MemberUnless("rank", rank, -1, Absence::kNotApplicable);
  json.MemberUnless("world_size", world, -1, Absence::kNotApplicable);
  Time(json, "first_seen_seconds", process.seen.begin);
  Time(json, "last_seen_seconds", process.seen.end);
  json.Array("devices", process.devices, [&](int device) { json.Int(device); });
  json.Member("memory_peak_bytes", process.memory_peak);
  json.Member("allocated_peak_bytes", process.allocated_peak);
  json.Member("reserved_peak_bytes", process.reserved_peak);
  json.Member("allocation_retries", process.retries);
  json.Member("out_of_memory", process.out_of_memory);
  json.Member("cpu_mean_cores", process.cpu_mean);
  json.Member("cpu_most_cores", process.cpu_most);
  json.Member("resident_most_bytes", process.resident_most);
  json.Member("read_bytes", process.read_bytes);
  json.Member("written_bytes", process.written_bytes);
  WriteFramework(json, process.framework);
  json.EndObject();
}

void WriteSteps(JsonWriter& json, int process, const StepReport& steps) {
  json.BeginObject();
  json.Member("process", process);
  json.Member("steps", steps.steps);
  json.Member("merged_steps", steps.merged);
  json.Member("seconds", steps.seconds);
  json.Member("data_wait_seconds", steps.data_seconds);
  json.Member("mean_seconds", steps.mean);
  json.Member("least_seconds", steps.least);
  json.Member("p50_seconds", steps.p50);
  json.Member("p95_seconds", steps.p95);
  json.Member("p99_seconds", steps.p99);
  json.Member("most_seconds", steps.most);
  json.Objects("histogram", steps.histogram, [&](const StepBin& bin) {
    json.Member("from_seconds", Rounded(bin.from));
    json.Member("to_seconds", Rounded(bin.to));
    json.Member("steps", bin.steps);
  });
  json.Member("outlier_count", steps.outlier_count);
  json.Key("outliers");
  json.BeginArray();
  for (const StepSample& step : steps.outliers) {
    json.BeginObject();
    json.Member("number", step.number);
    Time(json, "end_seconds", step.end);
    json.Member("seconds", step.seconds);
    json.Member("data_wait_seconds", step.data_seconds);
    json.EndObject();
  }
  json.EndArray();
  json.Key("mean_seconds_series");
  Numbers(json, steps.mean_curve);
  json.Key("most_seconds_series");
  Numbers(json, steps.most_curve);
  json.Key("data_wait_ratio_series");
  Numbers(json, steps.data_share);
  json.EndObject();
}

void WriteIdle(JsonWriter& json, const IdleEntry& entry) {
  const IdleReport& idle = entry.report;
  json.BeginObject();
  json.Member("process", entry.process);
  json.Member("device", entry.device);
  json.Member("why", WhyName(idle.why));
  json.Member("seconds", idle.seconds);
  json.Member("idle_seconds", idle.idle_seconds);
  json.Member("explained_seconds", idle.explained_seconds);
  json.Member("counted_seconds", idle.counted_seconds);
  json.Member("unsteady_seconds", idle.unsteady_seconds);
  const auto clock = [&](std::string_view key, const ClockOffset& offset) {
    json.Key(key);
    json.BeginArray();
    json.Number(Rounded(offset.least));
    json.Number(Rounded(offset.most));
    json.EndArray();
  };
  clock("driver_clock_offset_seconds", idle.driver_clock);
  clock("program_clock_offset_seconds", idle.program_clock);
  json.Key("places");
  json.BeginArray();
  size_t count = 0;
  for (const PlaceTime& place : Places(idle)) {
    if (place.idle <= 0 || ++count > kMostPlaces) break;
    json.BeginObject();
    json.Member("place", place.place);
    json.Member("idle_seconds", Rounded(place.idle));
    json.Member("share", Rounded(place.idle / idle.explained_seconds));
    json.EndObject();
  }
  json.EndArray();
  json.Key("flame");  // [depth, name, idle seconds, busy seconds], parents before children
  json.BeginArray();
  for (const FlameNode& node : FlameOf(idle.stacks)) {
    json.BeginArray();
    json.Int(node.depth);
    json.String(node.name);
    json.Number(Rounded(node.idle));
    json.Number(Rounded(node.busy));
    json.EndArray();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace gpusight::report
