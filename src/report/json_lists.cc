// SPDX-License-Identifier: Apache-2.0
// What happened at a moment or for a while: phases, marks, events, findings, failures, output.
#include "model/finding_text.h"
#include "record/finding_json.h"
#include "report/json_parts.h"

namespace gpusight::report {

void WriteLists(JsonWriter& json, const Report& report) {
  const Missing none{Absence::kNotApplicable, 0};
  json.Objects("phases", report.phases, [&](const Phase& phase) {
    json.Member("process", phase.process);
    Time(json, "begin_seconds", phase.begin);
    Time(json, "end_seconds", phase.end);
    json.Member("name", phase.name);
  });
  json.Objects("marks", report.marks, [&](const ProcessMark& mark) {
    json.Member("process", mark.process);
    json.Member("type", MarkName(mark.mark.type));
    Time(json, "time_seconds", mark.mark.time);
    json.Member("value", Known<double>(mark.mark.value));
    json.MemberOr("text", mark.mark.text, none);
  });
  json.Objects("metrics", report.metrics, [&](const Metric& metric) {
    json.Member("name", metric.name);
    json.Key("series");
    WriteCurve(json, Unit::kNumber, metric.curve);
  });
  json.Objects("out_of_memory", report.out_of_memory, [&](const ProcessOutOfMemory& one) {
    const OutOfMemory& what = one.what;
    json.Member("process", one.process);
    Time(json, "time_seconds", what.time);
    json.Member("ordinal", what.ordinal);
    json.Member("requested_bytes", what.requested);
    json.Member("device_total_bytes", what.total);
    json.Member("device_free_bytes", what.free);
    json.Member("allocated_bytes", what.allocated);
    json.Member("reserved_bytes", what.reserved);
    json.Member("active_bytes", what.active);
    json.Member("inactive_split_bytes", what.inactive_split);
    json.Member("caught", what.caught);
    json.MemberOr("stack", what.stack, none);
  });
  json.Objects("events", report.events, [&](const Event& event) {
    json.Member("type", EventName(event.type));
    Time(json, "time_seconds", event.time);
    json.MemberOr("device_uuid", event.device_uuid, none);
    json.Member("number", event.number);
  });
  json.Objects("findings", report.findings, [&](const record::FindingRow& row) {
    const Finding& finding = row.finding;
    json.Member("rule", finding.rule);
    json.MemberOr("form", finding.form, none);
    json.Member("level", record::LevelName(finding.level));
    Time(json, "begin_seconds", finding.opened);
    Time(json, "end_seconds", record::EndOf(finding));
    json.Member("open", finding.is_open());
    json.Member("severity", Known<double>(finding.severity));
    json.Member("confidence", Known<double>(finding.confidence));
    json.Member("seconds_left", finding.seconds_left);
    json.MemberOr("device_uuid", finding.device_uuid, none);
    json.MemberUnless("pid", finding.pid, 0, none);
    json.MemberUnless("rank", finding.rank, -1, none);
    json.MemberOr("place", finding.place, none);
    json.Member("text", record::Headline(row, Language::kEnglish));
    json.Member("text_zh", record::Headline(row, Language::kChinese));
    json.Objects("evidence", finding.evidence, [&](const Evidence& evidence) {
      json.Member("key", evidence.key);
      json.Member("en", Tell(evidence, Language::kEnglish));
      json.Member("zh", Tell(evidence, Language::kChinese));
    });
  });
  json.Objects("output", report.output, [&](const record::OutputPiece& piece) {
    Time(json, "time_seconds", piece.time);
    json.Member("stream", piece.stream == record::Stream::kError ? "stderr" : "stdout");
    json.Member("text", piece.bytes);
  });
  json.Member("left_out", report.left_out);
}

}  // namespace gpusight::report
