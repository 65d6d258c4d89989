// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/text/cli.h"

namespace gpusight::cli {
namespace {

using ::testing::ElementsAre;

const Text& kHelp = text::kOptLang;

// "" when the value was taken, else the complaint.
std::string Give(const Option& option, std::string_view value,
                 Language language = Language::kEnglish) {
  const auto set = option.Take(value, language);
  return set ? "" : set.error().what + ". " + set.error().remedy;
}

TEST(OptionsTest, ASwitchIsSetByItsNameAloneAndByTheConfigurationsWords) {
  Options options;
  bool json = false;
  const Option& option = options.Switch("--json", kHelp, json);
  EXPECT_EQ(Give(option, ""), "");
  EXPECT_TRUE(json);
  EXPECT_EQ(Give(option, "false"), "");
  EXPECT_FALSE(json);
  EXPECT_EQ(Give(option, "maybe"),
            "'maybe' is not a valid value for --json. Use one of: true, false.");
}

TEST(OptionsTest, ADurationHasALeast) {
  Options options;
  double seconds = 5;
  const Option& option = options.Duration("-i,--interval", kHelp, seconds, 0.1);
  EXPECT_EQ(Give(option, "250ms"), "");
  EXPECT_EQ(seconds, 0.25);
  EXPECT_EQ(Give(option, "99ms"),
            "'99ms' is not a valid value for --interval. The least is 100ms.");
  EXPECT_NE(Give(option, "0"), "");
  EXPECT_NE(Give(option, "soon"), "");
  EXPECT_NE(Give(option, "-5s"), "");
  EXPECT_NE(Give(option, "nan"), "");
  EXPECT_EQ(seconds, 0.25);
}

TEST(OptionsTest, NoDurationIsLongerThanAYear) {
  Options options;
  double seconds = 5;
  const Option& option = options.Duration("-i,--interval", kHelp, seconds, 0.1);
  EXPECT_EQ(Give(option, "366d"), "");
  for (const char* given : {"367d", "1e9h", "1e300d"}) {
    EXPECT_EQ(Give(option, given),
              fmt::format("'{}' is not a valid value for --interval. The most is 366d.", given));
  }
}

TEST(OptionsTest, ADurationMayBeZeroWhereZeroMeansSomething) {
  Options options;
  double seconds = 5;
  EXPECT_EQ(Give(options.Duration("--sample", kHelp, seconds, 0), "0"), "");
  EXPECT_EQ(seconds, 0);
}

TEST(OptionsTest, AListIsSplitAtCommasAndReplacesWhatWasThere) {
  Options options;
  std::vector<std::string> fields = {"old"};
  const Option& option = options.List("--fields", "LIST", kHelp, fields);
  EXPECT_EQ(Give(option, "util, temp,fan"), "");
  EXPECT_THAT(fields, ElementsAre("util", "temp", "fan"));
}

TEST(OptionsTest, AListHasNoHolesAndKeepsWhatItHadAfterAMistake) {
  Options options;
  std::vector<std::string> fields = {"old"};
  const Option& option = options.List("--fields", "LIST", kHelp, fields);
  for (const char* given : {",", " ", "util,", ",util", "util,,temp"}) {
    EXPECT_EQ(Give(option, given), fmt::format("'{}' is not a valid value for --fields. Write one "
                                               "comma between two words, and none at the ends.",
                                               given));
  }
  EXPECT_THAT(fields, ElementsAre("old"));
}

TEST(OptionsTest, AListMayCheckItsWords) {
  Options options;
  std::vector<std::string> fields;
  Option& option = options.List("--fields", "LIST", kHelp, fields);
  option.check = [](std::string_view word, Language) -> Result<void> {
    if (word == "util") return {};
    return Fail(ErrorCode::kUsage, "no " + std::string(word));
  };
  EXPECT_EQ(Give(option, "util"), "");
  EXPECT_EQ(Give(option, "util,foo,bar"), "no foo. ");
}

TEST(OptionsTest, AnEmptyValueIsRefusedByEverySortOfOption) {
  Options options;
  std::string text;
  std::vector<std::string> list;
  double seconds = 0;
  uint64_t number = 0;
  options.String("--string", "TEXT", kHelp, text);
  options.File("--file", "FILE", kHelp, text);
  options.Choice("--choice", {"a"}, kHelp, text);
  options.Word("WORD", {"a"}, kHelp, text);
  options.List("--list", "LIST", kHelp, list);
  options.Duration("--duration", kHelp, seconds, 0);
  options.Bytes("--bytes", kHelp, number, 1);
  options.Number("--number", kHelp, number, 0, 9);
  for (const Option& option : options.all()) {
    EXPECT_EQ(Give(option, ""), fmt::format("the value of {} is empty. Give it one, or leave the "
                                            "option away.",
                                            option.long_name()));
  }
}

TEST(OptionsTest, SizesAndNumbersKeepTheirBounds) {
  Options options;
  uint64_t size = 0, count = 0;
  const Option& bytes = options.Bytes("--rotate-size", kHelp, size, 1);
  EXPECT_EQ(Give(bytes, "64MiB"), "");
  EXPECT_EQ(size, 64u << 20);
  EXPECT_NE(Give(bytes, "0"), "");
  const Option& number = options.Number("--keep", kHelp, count, 0, 9);
  EXPECT_EQ(Give(number, "9"), "");
  EXPECT_EQ(count, 9u);
  EXPECT_EQ(Give(number, "10"),
            "'10' is not a valid value for --keep. Write a whole number from 0 to 9.");
  EXPECT_NE(Give(number, "-1"), "");
}

TEST(OptionsTest, AChoiceNamesTheNearestWordInTheLanguageOfTheUser) {
  Options options;
  std::string format;
  const Option& option = options.Choice("--format", {"text", "jsonl"}, kHelp, format);
  EXPECT_EQ(Give(option, "jsonl"), "");
  EXPECT_EQ(Give(option, "jsnl"),
            "'jsnl' is not a valid value for --format. Did you mean 'jsonl'?");
  EXPECT_EQ(Give(option, "jsnl", Language::kChinese),
            "“jsnl”不是 --format 的有效值. 您是不是要输入“jsonl”？");
  EXPECT_EQ(format, "jsonl");
}

TEST(OptionsTest, AreFoundByEveryNameAndByTheirKey) {
  Options options;
  std::string path;
  const Option& option = options.File("-o,--output", "FILE", kHelp, path);
  for (const char* name : {"-o", "--output", "output"}) EXPECT_EQ(options.Find(name), &option);
  EXPECT_EQ(options.Find("--out"), nullptr);
}

}  // namespace
}  // namespace gpusight::cli
