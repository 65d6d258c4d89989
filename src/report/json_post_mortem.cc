// SPDX-License-Identifier: Apache-2.0
// How the run ended, and why memory ran out, in both languages.
#include <cmath>

#include "record/run_end.h"
#include "report/json_parts.h"

namespace gpusight::report {
namespace {

void WriteSaid(JsonWriter& json, const Said& said) {
  json.BeginObject();
  json.Member("en", said.english);
  json.Member("zh", said.chinese);
  json.EndObject();
}

void WriteAll(JsonWriter& json, std::string_view key, const std::vector<Said>& list) {
  json.Key(key);
  json.BeginArray();
  for (const Said& said : list) WriteSaid(json, said);
  json.EndArray();
}

void WriteRows(JsonWriter& json, std::string_view key, const std::vector<PostMortem::Row>& rows) {
  json.Key(key);
  json.BeginArray();
  for (const PostMortem::Row& row : rows) {
    json.BeginObject();
    json.Key("label");
    WriteSaid(json, row.label);
    json.Member("number", row.number);
    json.Member("total", row.total);
    json.EndObject();
  }
  json.EndArray();
}

void WriteAdvice(JsonWriter& json, const std::vector<PostMortem::Try>& list) {
  const Missing none{Absence::kNotApplicable, 0};
  json.Key("advice");
  json.BeginArray();
  for (const PostMortem::Try& advice : list) {
    json.BeginObject();
    json.MemberOr("framework", advice.framework, none);
    json.Key("what");
    WriteSaid(json, advice.what);
    json.MemberOr("code", advice.code, none);
    json.EndObject();
  }
  json.EndArray();
}

void WriteCourse(JsonWriter& json, const Course& course) {
  json.Key("before");
  json.BeginObject();
  json.Key("seconds");
  Numbers(json, course.seconds);
  json.Key("rows");
  json.BeginArray();
  for (const Course::Row& row : course.rows) {
    std::vector<double> values;
    for (const Known<double>& value : row.values) values.push_back(value.value_or(NAN));
    json.BeginObject();
    json.Key("label");
    WriteSaid(json, row.label);
    json.Member("unit", UnitWord(row.unit));
    json.Key("values");
    Numbers(json, values, true);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace

void WriteFailure(JsonWriter& json, const Report& report) {
  const Failure& failure = report.failure;
  json.Key("failure");
  json.BeginObject();
  json.Member("told", failure.worth_telling());
  json.Member("kind", record::KindOf(failure.exit));
  json.Key("title");
  WriteSaid(json, failure.title);
  json.Key("how");
  WriteSaid(json, failure.how);
  WriteCourse(json, failure.course);
  json.Key("places");
  json.BeginArray();
  for (const PlaceShare& place : failure.places) {
    json.BeginObject();
    json.Member("place", place.name);
    json.Member("share", place.share);
    json.EndObject();
  }
  json.EndArray();
  WriteAdvice(json, failure.advice);
  json.EndObject();
}

void WritePostMortems(JsonWriter& json, const Report& report) {
  const Missing none{Absence::kNotApplicable, 0};
  json.Key("post_mortems");
  json.BeginArray();
  for (const PostMortem& one : report.failure.post_mortems) {
    json.BeginObject();
    json.MemberUnless("process", one.process, -1, none);
    json.Member("time_seconds", one.time.ns != 0 ? Known<double>(one.time.seconds())
                                                 : Known<double>(Absence::kNotApplicable));
    json.Member("observed", one.observed);
    json.Member("caught", one.caught);
    json.Member("class", one.cause);
    json.Member("confidence", one.confidence);
    json.Key("title");
    WriteSaid(json, one.title);
    json.Key("sentence");
    WriteSaid(json, one.sentence);
    WriteAll(json, "remarks", one.remarks);
    WriteAll(json, "gaps", one.gaps);
    json.MemberOr("unit", one.unit, none);
    WriteRows(json, "account", one.account);
    WriteRows(json, "request", one.request);
    WriteAdvice(json, one.advice);
    json.Key("stack");
    json.BeginArray();
    for (const std::string& frame : one.stack) json.String(frame);
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace gpusight::report
