// SPDX-License-Identifier: Apache-2.0
#include "report/json.h"

#include <cmath>

#include "report/json_parts.h"

namespace gpusight::report {
namespace {

// What most want to know, worked out from the rest.
void WriteTotals(JsonWriter& json, const Report& report) {
  json.Key("totals");
  json.BeginObject();
  json.Member("utilization_ratio", MeanOf(report, "utilization_ratio"));
  json.Member("sm_activity_ratio", MeanOf(report, "sm_activity_ratio"));
  json.Member("tensor_activity_ratio", MeanOf(report, "tensor_activity_ratio"));
  json.Member("dram_activity_ratio", MeanOf(report, "dram_activity_ratio"));
  Known<double> idle = Absence::kNotApplicable;
  double sum = 0, count = 0;
  for (const DeviceReport& device : report.devices) {
    if (device.idle_share) {
      sum += *device.idle_share;
      ++count;
    } else {
      idle = device.idle_share;
    }
  }
  if (count > 0) idle = sum / count;
  json.Member("idle_ratio", idle);
  json.Member("energy_joules", EnergyOf(report));
  json.Member("memory_peak_bytes", PeakUsed(report));
  uint64_t steps = 0;
  for (const ProcessReport& process : report.processes) {
    if (process.steps) steps += process.steps->steps;
  }
  json.Member("steps", steps);
  json.EndObject();
}

}  // namespace

void AppendJson(std::string& out, const Report& report) {
  JsonWriter json(out);
  json.BeginObject();
  json.Member("schema", kJsonSchema);
  json.Member("kind", "report");
  WriteRun(json, report);
  WriteTotals(json, report);
  json.Key("timeline");
  json.BeginObject();
  json.Member("start_seconds", report.grid.start.seconds());
  json.Member("step_seconds", report.grid.step);
  json.Member("pieces", static_cast<int64_t>(report.grid.count));
  json.EndObject();
  json.Key("devices");
  json.BeginArray();
  for (const DeviceReport& device : report.devices) WriteDevice(json, device);
  json.EndArray();
  json.Key("host");
  json.BeginObject();
  Series(json, report.host);
  json.EndObject();
  json.Key("processes");
  json.BeginArray();
  for (const ProcessReport& process : report.processes) WriteProcess(json, process);
  json.EndArray();
  json.Member("processes_cut", report.processes_cut);
  json.Key("steps");
  json.BeginArray();
  for (size_t i = 0; i < report.processes.size(); ++i) {
    const auto& steps = report.processes[i].steps;
    if (steps) WriteSteps(json, static_cast<int>(i), *steps);
  }
  json.EndArray();
  json.Key("idle");
  json.BeginArray();
  for (const IdleEntry& entry : report.idle) WriteIdle(json, entry);
  json.EndArray();
  WriteFailure(json, report);
  WritePostMortems(json, report);
  WriteLists(json, report);
  json.EndObject();
}

}  // namespace gpusight::report
