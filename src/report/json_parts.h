// SPDX-License-Identifier: Apache-2.0
// The larger members of the JSON, one function each. Next: json.cc, which puts them together.
#pragma once

#include "export/json.h"
#include "report/model.h"

namespace gpusight::report {

using exporting::JsonWriter;

// Four significant digits: finer than any chart, and a third of the text.
[[nodiscard]] double Rounded(double value);
// Numbers of pieces; null where there is none. `exact`: as they are.
void Numbers(JsonWriter& json, const std::vector<double>& values, bool exact = false);
// "bytes", "ratio", …
[[nodiscard]] std::string_view UnitWord(Unit unit);
void Time(JsonWriter& json, std::string_view key, WallTime time);
void Series(JsonWriter& json, const std::vector<NamedCurve>& curves);
// The members of one curve.
void WriteCurve(JsonWriter& json, Unit unit, const Curve& curve);

void WriteRun(JsonWriter& json, const Report& report);
void WriteDevice(JsonWriter& json, const DeviceReport& device);
void WriteProcess(JsonWriter& json, const ProcessReport& process);
void WriteSteps(JsonWriter& json, int process, const StepReport& steps);
void WriteIdle(JsonWriter& json, const IdleEntry& entry);
// How it ended and why.
void WriteFailure(JsonWriter& json, const Report& report);
void WritePostMortems(JsonWriter& json, const Report& report);
// Phases, marks, events, findings, failed allocations and output.
void WriteLists(JsonWriter& json, const Report& report);

}  // namespace gpusight::report
