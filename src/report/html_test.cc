// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <set>

#include "base/fd.h"
#include "model/text/report_page.h"
#include "report/builder.h"
#include "report/page.h"
#include "testing/training_run.h"

namespace gpusight::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHostile = "</script><script>alert(1)</script><!-- \xE2\x80\xAE\x1b[31m \xff";

Report Hostile() {
  record::Summary summary;
  summary.facts.name = kHostile;
  summary.facts.arguments = {kHostile};
  summary.facts.environment = {{kHostile, kHostile}};
  summary.span = {{TrainingRun::kBegin}, {TrainingRun::kBegin + 30'000'000'000}};
  Builder builder(std::move(summary), 1);
  TrainingRun run({.devices = 1, .seconds = 30, .names = {kHostile}});
  Frame frame;
  while (run.Next(frame)) {
    frame.frameworks[0].stacks[0] = kHostile;
    builder.Add(frame);
  }
  builder.AddMarks({4100, 77'000}, {{MarkType::kNote, frame.time, 0, kHostile}});
  builder.AddOutput({{frame.time, record::Stream::kOut, kHostile}});
  return builder.Take();
}

// What stands between the first `begin` and the next "</script>".
std::string Between(const std::string& text, const std::string& begin) {
  const size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find("</script>", from) - from);
}

TEST(Html, HostileTextIsDataAndNeverMarkup) {
  const std::string html = Html(Hostile(), Language::kEnglish);
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("\x1b")));
  rapidjson::Document data;
  data.Parse(Between(html, "id=\"data\">").c_str());
  ASSERT_FALSE(data.HasParseError());
  EXPECT_THAT(data["run"]["name"].GetString(), HasSubstr("</script><script>"));
  rapidjson::Document texts;
  texts.Parse(Between(html, "id=\"texts\">").c_str());
  ASSERT_FALSE(texts.HasParseError());
}

TEST(Html, HasNothingToFetch) {
  const std::string html = Html(Hostile(), Language::kEnglish);
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("<link rel=\"stylesheet\"")));
  EXPECT_THAT(html, Not(HasSubstr("<script src")));
  EXPECT_THAT(html, HasSubstr(kHtmlMark));
}

TEST(Html, OpensInTheLanguageThatWasAskedFor) {
  const std::string html = Html(Hostile(), Language::kChinese);
  EXPECT_THAT(html, HasSubstr("<html lang=\"zh-CN\">"));
  EXPECT_THAT(html, HasSubstr("\"lang\":\"zh\""));
}

// The words that the page asks for, t("…"), are those that there are.
TEST(Html, NoWordIsMissingAndNoneIsIdle) {
  std::string page(ReportPage().parts[5]);
  const std::string folder = std::string(GPUSIGHT_TESTDATA) + "/../web/report";
  std::string all;
  const auto files = ListFolder(folder);
  ASSERT_TRUE(files);
  for (const std::string& name : *files) {
    if (name.ends_with(".ts")) all += *ReadFile(folder + "/" + name);
  }
  std::set<std::string_view> there;
  for (const text::PageText& page_text : text::kPageTexts) {
    EXPECT_TRUE(there.insert(page_text.key).second) << page_text.key;
    // Keys that are put together ("chart_" + id) are only seen by their beginning.
    const std::string key(page_text.key);
    const std::string begin = key.substr(0, key.find('_') + 1);
    const bool used = all.find("t(\"" + key + "\"") != all.npos ||
                      all.find("\"" + key + "\"") != all.npos ||
                      (!begin.empty() && all.find("t(\"" + begin + "\" +") != all.npos);
    EXPECT_TRUE(used) << key << " is not used";
  }
  for (size_t at = 0; (at = all.find("t(\"", at)) != all.npos;) {
    const char before = at == 0 ? ' ' : all[at - 1];
    at += 3;
    if (std::isalnum(static_cast<unsigned char>(before)) || before == '.') continue;
    const std::string key = all.substr(at, all.find('"', at) - at);
    if (key.ends_with('_')) continue;
    EXPECT_TRUE(there.contains(key)) << key << " is missing";
  }
}

}  // namespace
}  // namespace gpusight::report
