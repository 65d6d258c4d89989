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
  for (const Setting& s : *settings) flat.push_back(s.section + "." + s.key + "=" + s.value());
  EXPECT_THAT(flat, ::testing::ElementsAre(".lang=zh", "log.interval=500ms", "log.count=3",
                                           "log.fields=util,temp", "status.sample=0.25",
                                           "status.json=true"));
}

TEST(ParseConfig, KnowsThePlacesOfKeysValuesAndItems) {
  const auto settings = Parse("[log]\ninterval = \"5s\"\nfields = [\n  \"util\", \"temp\",\n]\n");
  ASSERT_TRUE(settings);
  const auto at = [](const Position& p) { return std::pair(p.line, p.column); };
  EXPECT_EQ(at((*settings)[0].key_at), std::pair(size_t{2}, size_t{1}));
  EXPECT_EQ(at((*settings)[0].at), std::pair(size_t{2}, size_t{12}));
  EXPECT_EQ(at((*settings)[1].at), std::pair(size_t{3}, size_t{10}));
  EXPECT_EQ(at((*settings)[1].items[1].at), std::pair(size_t{4}, size_t{11}));
}

TEST(ParseConfig, CountsColumnsInTheBytesOfTheFile) {
  const auto settings = Parse("[log]\nfields = [\"温度\", \"util\"]\n");
  ASSERT_TRUE(settings);
  EXPECT_EQ((*settings)[0].items[1].at.column, 21u);
}

TEST(ParseConfig, KeepsNumbersThatAreNoneSoThatAComplaintCanRepeatThem) {
  EXPECT_EQ(Parse("count = nan\n")->front().value(), "nan");
  EXPECT_EQ(Parse("count = -inf\n")->front().value(), "-inf");
}

TEST(ParseConfig, SaysInChineseThatItIsTheSyntax) {
  const auto settings = ParseConfig("[log\n", "config.toml", Language::kChinese);
  ASSERT_FALSE(settings);
  EXPECT_THAT(settings.error().what, StartsWith("config.toml:1:5: TOML 语法错误（"));
}

TEST(ParseConfig, NamesTheFirstOfSeveralValuesOfAWrongSort) {
  const auto settings = Parse("[z]\na = 2026-04-05\n[b]\nc = 2026-04-05\n");
  ASSERT_FALSE(settings);
  EXPECT_THAT(settings.error().what, StartsWith("config.toml:2:5: "));
}

TEST(ParseConfig, KeepsTextOfAnyScript) {
  const auto settings = Parse("output = \"日志 100%.csv\"\n");
  ASSERT_TRUE(settings) << settings.error().what;
  EXPECT_EQ(settings->front().value(), "日志 100%.csv");
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
