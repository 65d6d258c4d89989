// SPDX-License-Identifier: Apache-2.0
#include "cli/config.h"

#include <gmock/gmock.h>

namespace gpusight::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Result<std::vector<Setting>> Parse(std::string_view text) {
  return ParseConfig(text, "config.toml", Language::kEnglish);
}

TEST(ParseConfig, TakesEverySortOfValueAsItWouldStandOnTheCommandLine) {
  const auto settings = Parse(
      "# my defaults\n"
      "lang = \"zh\"\r\n"
      "[log]\n"
      "interval = \"500ms\"   # text\n"
      "count = 3\n"
      "fields = [\"util\", 'temp']\n"
      "[status]\n"
      "sample = 0.25\n"
      "json = true\n");
  ASSERT_TRUE(settings) << settings.error().what;
  std::vector<std::string> flat;
  for (const Setting& s : *settings) flat.push_back(s.section + "." + s.key + "=" + s.value);
  EXPECT_THAT(flat, ::testing::ElementsAre(".lang=zh", "log.interval=500ms", "log.count=3",
                                           "log.fields=util,temp", "status.sample=0.25",
                                           "status.json=true"));
  EXPECT_EQ((*settings)[1].line, 4u);
  EXPECT_EQ((*settings)[1].column, 1u);
}

TEST(ParseConfig, KeepsTextOfAnyScript) {
  const auto settings = Parse("output = \"日志 100%.csv\"\n");
  ASSERT_TRUE(settings) << settings.error().what;
  EXPECT_EQ(settings->front().value, "日志 100%.csv");
}

TEST(ParseConfig, AnEmptyFileHasNoSettings) {
  EXPECT_TRUE(Parse("")->empty());
  EXPECT_TRUE(Parse("\n# nothing\n")->empty());
}

TEST(ParseConfig, KeepsAnEmptySectionSoThatItsNameCanBeChecked) {
  const auto settings = Parse("[lgo]\n");
  ASSERT_TRUE(settings);
  ASSERT_EQ(settings->size(), 1u);
  EXPECT_EQ((*settings)[0].section, "lgo");
}

TEST(ParseConfig, SaysLineAndColumnOfASyntaxError) {
  const auto settings = Parse("lang = \"en\"\n[log]\ninterval = 5x\n");
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(settings.error().what, StartsWith("config.toml:3:"));
}

TEST(ParseConfig, RefusesDatesAndNestedThings) {
  for (const char* text : {"[log]\ninterval = 2026-04-05\n", "[log]\nfields = [[\"util\"]]\n",
                           "[log.more]\nx = 1\n"}) {
    const auto settings = Parse(text);
    ASSERT_FALSE(settings) << text;
    EXPECT_THAT(settings.error().what, StartsWith("config.toml:")) << text;
    EXPECT_THAT(settings.error().what, HasSubstr("this sort of value")) << text;
  }
}

TEST(ParseConfig, RefusesAFileThatIsFarTooLarge) {
  const auto settings = Parse(std::string(kLargestConfig + 1, '#'));
  ASSERT_FALSE(settings);
  EXPECT_THAT(settings.error().what, HasSubstr("larger than"));
}

TEST(ParseConfig, RefusesAKeyOfManyPartsBeforeTheParserRunsOutOfStack) {
  std::string deep;
  for (int i = 0; i < 50'000; ++i) deep += "a.";
  const auto settings = Parse("lang = \"en\"\n" + deep + "b = 1\n");
  ASSERT_FALSE(settings);
  EXPECT_THAT(settings.error().what, StartsWith("config.toml:2:202: more than"));
}

TEST(ParseConfig, SkipsAByteOrderMark) {
  EXPECT_TRUE(Parse("\xEF\xBB\xBF[log]\ncount = 3\n"));
  EXPECT_FALSE(Parse("\xEF\xBB\xBF[\nc = 1"));
}

TEST(ParseConfig, RefusesADuplicateKeyAndBadUtf8) {
  EXPECT_FALSE(Parse("lang = \"en\"\nlang = \"zh\"\n"));
  EXPECT_FALSE(Parse("lang = \"\xff\"\n"));
}

}  // namespace
}  // namespace gpusight::cli
