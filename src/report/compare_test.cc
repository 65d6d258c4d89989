// SPDX-License-Identifier: Apache-2.0
#include "report/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "report/builder.h"
#include "report/compare_text.h"
#include "testing/training_run.h"

namespace gpusight::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Report ReportOf(const TrainingRunOptions& options, const std::string& torch = "2.11.0") {
  record::Summary summary;
  summary.facts.name = "train.py";
  summary.facts.versions = {{"torch", torch}};
  summary.span = {{TrainingRun::kBegin + 1'000'000'000},
                  {TrainingRun::kBegin + static_cast<int64_t>(options.seconds * 1e9)}};
  Builder builder(std::move(summary), static_cast<size_t>(options.devices));
  TrainingRun run(options);
  Frame frame;
  while (run.Next(frame)) {
    builder.Add(frame);
    for (const FrameworkSample& framework : frame.frameworks) {
      for (const StepSample& step : framework.steps) {
        builder.AddStep({framework.pid, framework.start_ticks},
                        {step, 1, step.seconds, step.seconds});
      }
    }
  }
  return builder.Take();
}

const Comparison& Row(const Comparisons& comparisons, std::string_view name) {
  for (const Comparison& row : comparisons.rows) {
    if (row.name == name) return row;
  }
  static const Comparison none;
  return none;
}

constexpr TrainingRunOptions kRun{.devices = 1, .seconds = 600};

TEST(Compare, SeesThatPowerFell) {
  TrainingRunOptions low = kRun;
  low.power = 300;
  low.seed = 2;
  const Comparisons found = Compare(ReportOf(kRun), ReportOf(low));
  const Comparison& power = Row(found, "power_watts");
  EXPECT_EQ(power.certainty, Certainty::kResampled);
  EXPECT_TRUE(power.sure());
  EXPECT_LT(power.difference.absolute.high, 0);
  EXPECT_TRUE(Row(found, "energy_per_step_joules").sure());
  EXPECT_FALSE(Row(found, "utilization_ratio").sure());
}

TEST(Compare, TwoRunsOfTheSameJobCannotBeTold) {
  TrainingRunOptions again = kRun;
  again.seed = 7;
  const Comparisons found = Compare(ReportOf(kRun), ReportOf(again));
  for (const std::string_view name : {"step_seconds", "utilization_ratio", "power_watts"}) {
    EXPECT_FALSE(Row(found, name).sure()) << name;
  }
}

TEST(Compare, PeaksAreOneObservation) {
  const Comparisons found = Compare(ReportOf(kRun), ReportOf(kRun));
  const Comparison& peak = Row(found, "memory_peak_bytes");
  EXPECT_EQ(peak.certainty, Certainty::kSingle);
  EXPECT_EQ(peak.change(), Known<double>(0.0));
  EXPECT_FALSE(peak.sure());
}

TEST(Compare, AShortRunHasNoInterval) {
  TrainingRunOptions brief = kRun;
  brief.seconds = 20;
  const Comparisons found = Compare(ReportOf(kRun), ReportOf(brief));
  EXPECT_EQ(Row(found, "power_watts").certainty, Certainty::kTooShort);
}

TEST(Compare, LeavesTheBeginningOut) {
  const Report report = ReportOf(kRun);
  const Comparisons all = Compare(report, report), skipped = Compare(report, report, 60);
  EXPECT_GT(*Row(skipped, "utilization_ratio").a, *Row(all, "utilization_ratio").a);
}

TEST(Compare, WithoutStepsItSaysSo) {
  record::Summary summary;
  summary.span = {{TrainingRun::kBegin}, {TrainingRun::kBegin + 1'000'000'000}};
  Builder builder(std::move(summary), 0);
  const Comparisons found = Compare(builder.Take(), ReportOf(kRun));
  EXPECT_FALSE(Row(found, "step_seconds").a.known());
  EXPECT_FALSE(Row(found, "step_seconds").change().known());
  EXPECT_FALSE(Row(found, "power_watts").a.known());
}

TEST(Compare, NamesWhatElseDiffers) {
  const Comparisons found = Compare(ReportOf(kRun), ReportOf(kRun, "2.12.0"));
  ASSERT_EQ(found.unlike.size(), 1U);
  EXPECT_EQ(found.unlike[0].name, "torch");
  EXPECT_EQ(found.unlike[0].b, "2.12.0");
}

TEST(Compare, SpeaksBothLanguages) {
  TrainingRunOptions low = kRun;
  low.power = 300;
  const Comparisons found = Compare(ReportOf(kRun), ReportOf(low, "2.12.0"));
  exporting::Style style;
  style.columns = 120;
  const std::string english = CompareText(style, found, "a", "b");
  EXPECT_THAT(english, HasSubstr("step time, mean"));
  EXPECT_THAT(english, HasSubstr("one observation each"));
  style.language = Language::kChinese;
  EXPECT_THAT(CompareText(style, found, "a", "b"), HasSubstr("每步耗时"));
  EXPECT_THAT(CompareMarkdown(found, "a", "b", Language::kChinese), HasSubstr("95% 区间"));
}

TEST(Compare, HostileNamesDoNotBecomeMarkup) {
  Comparisons found;
  found.unlike = {{"env <b>", "|x\x1b[31m", "<script>"}};
  const std::string markdown = CompareMarkdown(found, "<a>", "b|c", Language::kEnglish);
  EXPECT_THAT(markdown, Not(HasSubstr("<script>")));
  EXPECT_THAT(markdown, Not(HasSubstr("\x1b")));
  EXPECT_THAT(CompareText({}, found, "\x1b[1m", "b"), Not(HasSubstr("\x1b")));
}

TEST(Compare, TheJsonIsWhole) {
  std::string out;
  AppendCompareJson(out, Compare(ReportOf(kRun), ReportOf(kRun)), "a", "b");
  rapidjson::Document json;
  json.Parse(out.c_str());
  ASSERT_FALSE(json.HasParseError());
  const auto& step = json["metrics"]["step_seconds"];
  EXPECT_STREQ(step["certainty"].GetString(), "resampled");
  EXPECT_EQ(step["interval"].Size(), 2U);
  EXPECT_LE(step["interval"][0].GetDouble(), 0);
}

}  // namespace
}  // namespace gpusight::report
