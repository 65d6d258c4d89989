// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <gmock/gmock.h>

#include "model/text/cli.h"

namespace gpusight::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Text& kHelp = text::kOptLang;

// "" when the value was taken, else the complaint.
std::string Give(const Option& option, std::string_view value,
                 Language language = Language::kEnglish) {
  const auto set = option.set(value, language);
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
  EXPECT_EQ(seconds, 0.25);
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
  EXPECT_EQ(Give(option, "util, temp,,fan"), "");
  EXPECT_THAT(fields, ElementsAre("util", "temp", "fan"));
  EXPECT_EQ(Give(option, ""), "");
  EXPECT_THAT(fields, IsEmpty());
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
