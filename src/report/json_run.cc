// SPDX-License-Identifier: Apache-2.0
// The run as a whole: what was started, where, and how it ended.
#include "base/text.h"
#include "record/run_end.h"
#include "report/json_parts.h"

namespace gpusight::report {
namespace {

void WritePairs(JsonWriter& json, std::string_view key, const record::Pairs& pairs) {
  json.Key(key);
  json.BeginObject();
  for (const auto& [name, value] : pairs) json.Member(Printable(name), value);
  json.EndObject();
}

void WriteEnd(JsonWriter& json, const record::RunEnd& end) {
  json.Key("end");
  json.BeginObject();
  // Recorder and job died together, or it is still running.
  const Missing cut{Absence::kGone, 0};
  json.MemberOr("kind", end.kind, cut);
  json.Member("time_seconds",
              end.kind.empty() ? Known<double>(cut) : Known<double>(end.time.seconds()));
  const auto number = [](const std::optional<int>& value) {
    return value ? Known<double>(*value) : Known<double>(Absence::kNotApplicable);
  };
  json.Member("code", number(end.code));
  json.Member("signal", number(end.signal));
  // Our own sentences, where the file has the facts; its sentence is English.
  const bool told = !end.kind.empty() && !end.text.empty();
  json.MemberOr("text_zh",
                told ? record::EndText(record::FactsOf(end), Language::kChinese) : std::string(),
                end.kind.empty() ? cut : Missing{Absence::kNotApplicable, 0});
  json.MemberOr("text", end.text, end.kind.empty() ? cut : Missing{Absence::kNotApplicable, 0});
  json.EndObject();
}

}  // namespace

void WriteRun(JsonWriter& json, const Report& report) {
  const record::Summary& summary = report.summary;
  const record::RunFacts& facts = summary.facts;
  json.Key("run");
  json.BeginObject();
  json.Member("name", facts.name);
  json.Array("arguments", facts.arguments, [&](const std::string& word) { json.String(word); });
  json.MemberOr("folder", facts.folder, Absence::kNotApplicable);
  json.MemberUnless("pid", facts.pid, 0, Absence::kNotApplicable);
  json.Member("watched", facts.watched);
  Time(json, "start_seconds", facts.start);
  WriteEnd(json, summary.end);
  Time(json, "first_frame_seconds", summary.span.begin);
  Time(json, "last_frame_seconds", summary.span.end);
  json.Member("duration_seconds", summary.span.seconds());
  json.Member("covered_seconds", report.seconds_covered);
  json.Member("full_rate_seconds", report.seconds_full);
  json.Member("frames", summary.frames);
  json.Member("frames_lost", summary.lost);
  json.Member("recording_schema", summary.schema);
  json.MemberOr("gpusight", facts.gpusight, Absence::kNotApplicable);
  json.MemberOr("hostname", summary.hostname, Absence::kNotSampledYet);
  json.MemberOr("kernel", summary.kernel, Absence::kNotSampledYet);
  json.MemberOr("driver_version", summary.driver.version, Absence::kNotSampledYet);
  json.MemberOr("cuda_version", summary.driver.cuda_version, Absence::kNotSampledYet);
  json.MemberOr("git_commit", facts.git_commit, Absence::kNotApplicable);
  json.Member("git_changed", facts.git_changed ? Known<bool>(*facts.git_changed)
                                               : Known<bool>(Absence::kNotApplicable));
  WritePairs(json, "tags", facts.tags);
  WritePairs(json, "versions", facts.versions);
  WritePairs(json, "environment", facts.environment);
  json.EndObject();
}

}  // namespace gpusight::report
