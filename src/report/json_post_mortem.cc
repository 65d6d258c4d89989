// SPDX-License-Identifier: Apache-2.0
// How the run ended, and why memory ran out, in both languages.
#include <cmath>

#include "record/run_end.h"
#include "report/json_parts.h"

namespace gpusight::report {
namespace {

void WriteSaid(JsonWriter& json, const Said& said) {
  json.Member("en", said.english);
  json.Member("zh", said.chinese);
}

void WriteSaid(JsonWriter& json, std::string_view key, const Said& said) {
  json.Key(key);
  json.BeginObject();
  WriteSaid(json, said);
  json.EndObject();
}

void WriteAll(JsonWriter& json, std::string_view key, const std::vector<Said>& list) {
  json.Objects(key, list, [&](const Said& said) { WriteSaid(json, said); });
}

void WriteRows(JsonWriter& json, std::string_view key, const std::vector<PostMortem::Row>& rows) {
  json.Objects(key, rows, [&](const PostMortem::Row& row) {
    WriteSaid(json, "label", row.label);
    json.Member("number", row.number);
    json.Member("total", row.total);
  });
}

void WriteAdvice(JsonWriter& json, const std::vector<PostMortem::Try>& list) {
  const Missing none{Absence::kNotApplicable, 0};
  json.Objects("advice", list, [&](const PostMortem::Try& advice) {
    json.MemberOr("framework", advice.framework, none);
    WriteSaid(json, "what", advice.what);
    json.MemberOr("code", advice.code, none);
  });
}

void WriteCourse(JsonWriter& json, const Course& course) {
  json.Key("before");
  json.BeginObject();
  json.Key("seconds");
  Numbers(json, course.seconds);
  json.Objects("rows", course.rows, [&](const Course::Row& row) {
    std::vector<double> values;
    for (const Known<double>& value : row.values) values.push_back(value.value_or(NAN));
    WriteSaid(json, "label", row.label);
    json.Member("unit", UnitWord(row.unit));
    json.Key("values");
    Numbers(json, values, true);
  });
  json.EndObject();
}

}  // namespace

void WriteFailure(JsonWriter& json, const Report& report) {
  const Failure& failure = report.failure;
  json.Key("failure");
  json.BeginObject();
  json.Member("told", failure.worth_telling());
  json.Member("kind", record::KindOf(failure.exit));
  WriteSaid(json, "title", failure.title);
  WriteSaid(json, "how", failure.how);
  WriteCourse(json, failure.course);
  json.Objects("places", failure.places, [&](const PlaceShare& place) {
    json.Member("place", place.name);
    json.Member("share", place.share);
  });
  WriteAdvice(json, failure.advice);
  json.EndObject();
}

void WritePostMortems(JsonWriter& json, const Report& report) {
  const Missing none{Absence::kNotApplicable, 0};
  json.Objects("post_mortems", report.failure.post_mortems, [&](const PostMortem& one) {
    json.MemberUnless("process", one.process, -1, none);
    json.Member("time_seconds", one.time.ns != 0 ? Known<double>(one.time.seconds())
                                                 : Known<double>(Absence::kNotApplicable));
    json.Member("observed", one.observed);
    json.Member("caught", one.caught);
    json.Member("class", one.cause);
    json.Member("confidence", one.confidence);
    WriteSaid(json, "title", one.title);
    WriteSaid(json, "sentence", one.sentence);
    WriteAll(json, "remarks", one.remarks);
    WriteAll(json, "gaps", one.gaps);
    json.MemberOr("unit", one.unit, none);
    WriteRows(json, "account", one.account);
    WriteRows(json, "request", one.request);
    WriteAdvice(json, one.advice);
    json.Array("stack", one.stack, [&](const std::string& frame) { json.String(frame); });
  });
}

}  // namespace gpusight::report
