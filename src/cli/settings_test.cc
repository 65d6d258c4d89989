// SPDX-License-Identifier: Apache-2.0
#include "cli/settings.h"

#include <gmock/gmock.h>

#include <map>

#include "model/text/cli.h"

namespace gpusight::cli {
namespace {

using ::testing::HasSubstr;

class Settings : public ::testing::Test {
 protected:
  Settings() {
    global.Choice("--lang", {"en", "zh"}, text::kOptLang, lang);
    global.Switch("--demo", text::kOptDemo, demo).in_config = false;
    log.Duration("-i,--interval", text::kOptLang, interval, 0.1);
    log.List("--fields", "LIST", text::kOptLang, fields);
  }
  Result<void> Apply(std::string_view text, int command) {
    const auto settings = ParseConfig(text, "c.toml", Language::kEnglish);
    EXPECT_TRUE(settings);
    return ApplyConfig(*settings, "c.toml", global, {{"log", &log}, {"who", &who}}, command,
                       Language::kEnglish, origins);
  }
  Options global, log, who;
  Origins origins;
  std::string lang;
  bool demo = false;
  double interval = 5;
  std::vector<std::string> fields;
};

TEST_F(Settings, SetsTheTopLevelAndTheSectionOfTheCommandApart) {
  const char* text = "lang = \"zh\"\n[log]\ninterval = \"2s\"\nfields = [\"util\", \"temp\"]\n";
  ASSERT_TRUE(Apply(text, -1));
  EXPECT_EQ(lang, "zh");
  EXPECT_EQ(interval, 5);
  ASSERT_TRUE(Apply(text, 1));
  EXPECT_EQ(interval, 5);
  ASSERT_TRUE(Apply(text, 0));
  EXPECT_EQ(interval, 2);
  EXPECT_THAT(fields, ::testing::ElementsAre("util", "temp"));
}

TEST_F(Settings, NamesThePlaceOfAnUnknownKeyAndTheNearestOne) {
  const auto applied = Apply("[log]\ninterva = 1\n", -1);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().what, "c.toml:2:1: there is no key 'interva' here");
  EXPECT_EQ(applied.error().remedy, "Did you mean 'interval'?");
}

TEST_F(Settings, NamesThePlaceOfAnUnknownSection) {
  const auto applied = Apply("[lgo]\ninterval = 1\n", -1);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().what, "c.toml:2:1: there is no section [lgo]");
  EXPECT_EQ(applied.error().remedy, "Did you mean 'log'?");
}

TEST_F(Settings, NamesThePlaceOfAValueThatDoesNotFit) {
  const auto applied = Apply("\n[log]\ninterval = \"10ms\"\n", 0);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().what, "c.toml:3:12: '10ms' is not a valid value for --interval");
}

TEST_F(Settings, NamesThePlaceOfTheItemThatDoesNotFit) {
  const auto applied = Apply("[log]\nfields = [\"util\", \"\"]\n", 0);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().what, "c.toml:2:19: the value of --fields is empty");
}

TEST_F(Settings, RefusesAnEmptyArray) {
  const auto applied = Apply("[log]\nfields = []\n", 0);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().what, "c.toml:2:10: the value of --fields is empty");
}

TEST_F(Settings, RefusesAnArrayForASingleValue) {
  const auto applied = Apply("[log]\ninterval = [1, 2]\n", 0);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().what, "c.toml:2:12: '1,2' is not a valid value for --interval");
}

TEST_F(Settings, RememberWhereAValueStandsUntilTheCommandLineGivesAnother) {
  ASSERT_TRUE(Apply("[log]\nfields = [\"util\", \"sm, temp\"]\n", 0));
  EXPECT_EQ(origins.Place("--fields", "util"), "c.toml:2:11: ");
  EXPECT_EQ(origins.Place("--fields", "temp"), "c.toml:2:19: ");
  EXPECT_EQ(origins.Place("--fields", "fan"), "c.toml:2:10: ");
  EXPECT_EQ(origins.Place("--interval", "5s"), "");
  EXPECT_TRUE(origins.FromConfig("--fields"));
  origins.Forget(*log.Find("--fields"));
  EXPECT_FALSE(origins.FromConfig("--fields"));
  EXPECT_EQ(origins.Place("--fields", "util"), "");
}

TEST_F(Settings, RefusesWhatOnlyTheCommandLineMaySay) {
  EXPECT_FALSE(Apply("demo = true\n", -1));
  EXPECT_FALSE(demo);
}

TEST(ConfigPath, PrefersTheNamedFileThenXdgThenHome) {
  std::map<std::string, std::string> variables;
  const Environment env = [&](const char* name) -> const char* {
    const auto at = variables.find(name);
    return at == variables.end() ? nullptr : at->second.c_str();
  };
  EXPECT_EQ(ConfigPath("", env), "");
  variables["HOME"] = "/home/ada";
  EXPECT_EQ(ConfigPath("", env), "/home/ada/.config/gpusight/config.toml");
  variables["XDG_CONFIG_HOME"] = "not/absolute";
  EXPECT_EQ(ConfigPath("", env), "/home/ada/.config/gpusight/config.toml");
  variables["XDG_CONFIG_HOME"] = "/etc/ada";
  EXPECT_EQ(ConfigPath("", env), "/etc/ada/gpusight/config.toml");
  EXPECT_EQ(ConfigPath("mine.toml", env), "mine.toml");
}

TEST(ReadConfig, MissesOnlyTheFileThatWasNamed) {
  EXPECT_TRUE(ReadConfig("/nonexistent/config.toml", false, Language::kEnglish)->empty());
  const auto named = ReadConfig("/nonexistent/config.toml", true, Language::kEnglish);
  ASSERT_FALSE(named);
  EXPECT_THAT(named.error().what, HasSubstr("cannot be read (/nonexistent/config.toml: No such"));
}

}  // namespace
}  // namespace gpusight::cli
