// SPDX-License-Identifier: Apache-2.0
#include "report/json.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <vector>

#include "report/builder.h"
#include "testing/training_run.h"

namespace gpusight::report {
namespace {

Report Whole() {
  record::Summary summary;
  summary.span = {{TrainingRun::kBegin}, {TrainingRun::kBegin + 30'000'000'000}};
  Builder builder(std::move(summary), 1);
  TrainingRun run({.devices = 1, .seconds = 30});
  Frame frame;
  while (run.Next(frame)) builder.Add(frame);
  builder.AddMarks({4100, 77'000}, {{MarkType::kNote, frame.time, NAN, ""}});
  builder.AddOutOfMemory({4100, 77'000}, {{frame.time, 0, 1, 2, 3, 4, 5, 6, 7, "", false}});
  builder.AddEvents({{EventType::kXid, frame.time, "", 43}});
  record::FindingRow finding;
  finding.finding.rule = "rule";
  finding.finding.severity = INFINITY;
  finding.finding.opened = finding.finding.updated = frame.time;
  finding.english = "text";
  builder.AddFindings({finding});
  return builder.Take();
}

TEST(Json, EveryNullOfAnObjectHasItsReason) {
  std::string out;
  AppendJson(out, Whole());
  rapidjson::Document data;
  data.Parse(out.c_str());
  ASSERT_FALSE(data.HasParseError());
  std::vector<const rapidjson::Value*> rest = {&data};
  while (!rest.empty()) {
    const rapidjson::Value& value = *rest.back();
    rest.pop_back();
    if (value.IsArray()) {
      for (const auto& item : value.GetArray()) rest.push_back(&item);
    }
    if (!value.IsObject()) continue;
    for (const auto& member : value.GetObject()) {
      rest.push_back(&member.value);
      if (!member.value.IsNull()) continue;
      EXPECT_TRUE(value.HasMember("unknown") && value["unknown"].HasMember(member.name))
          << member.name.GetString();
    }
  }
}

TEST(Json, SaysItsSchemaFirst) {
  std::string out;
  AppendJson(out, Whole());
  EXPECT_TRUE(out.starts_with("{\"schema\":1,\"kind\":\"report\"")) << out.substr(0, 60);
}

}  // namespace
}  // namespace gpusight::report
