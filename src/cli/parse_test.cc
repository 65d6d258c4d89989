// SPDX-License-Identifier: Apache-2.0
#include "cli/parse.h"

#include <gmock/gmock.h>

#include "model/text/cli.h"

namespace gpusight::cli {
namespace {

class Parse : public ::testing::Test {
 protected:
  Parse() {
    global.Choice("--lang", {"en", "zh"}, text::kOptLang, lang);
    global.Switch("-h,--help", text::kOptHelp, help);
    log.Duration("-i,--interval", text::kOptLang, interval, 0.1);
    log.List("-d,--device", "DEVICE", text::kOptLang, devices);
    log.Switch("--json", text::kOptLang, json);
  }
  Result<Parsed> Args(const std::vector<std::string>& args) {
    return ParseArguments(args, global, {{"log", &log}, {"who", &who}}, Language::kEnglish);
  }
  // "--interval=5s --json=" and so on, or the complaint.
  std::string Flat(const std::vector<std::string>& args) {
    const auto parsed = Args(args);
    if (!parsed) return parsed.error().what + " | " + parsed.error().remedy;
    std::string out = std::to_string(parsed->command);
    for (const Given& g : parsed->options) {
      out += ' ';
      out += g.option->long_name();
      out += '=';
      out += g.value;
    }
    return out;
  }
  Options global, log, who;
  std::string lang;
  bool help = false, json = false;
  double interval = 5;
  std::vector<std::string> devices;
};

TEST_F(Parse, FindsOptionsInEveryForm) {
  EXPECT_EQ(Flat({}), "-1");
  EXPECT_EQ(Flat({"log"}), "0");
  EXPECT_EQ(Flat({"log", "--interval", "5s"}), "0 --interval=5s");
  EXPECT_EQ(Flat({"log", "--interval=5s"}), "0 --interval=5s");
  EXPECT_EQ(Flat({"log", "-i5s"}), "0 --interval=5s");
  EXPECT_EQ(Flat({"log", "-i", "1s", "-i", "2s"}), "0 --interval=2s");
  EXPECT_EQ(Flat({"log", "--json"}), "0 --json=true");
}

TEST_F(Parse, JoinsTheValuesOfAListThatIsRepeated) {
  EXPECT_EQ(Flat({"log", "-d", "0", "--device", "1,2"}), "0 --device=0,1,2");
}

TEST_F(Parse, TakesGlobalOptionsBeforeAndAfterTheCommand) {
  EXPECT_EQ(Flat({"--lang", "zh", "log"}), "0 --lang=zh");
  EXPECT_EQ(Flat({"log", "--lang", "zh"}), "0 --lang=zh");
}

TEST_F(Parse, ExplainsWhatIsWrong) {
  EXPECT_EQ(Flat({"lgo"}), "unknown command 'lgo' | Did you mean 'log'?");
  EXPECT_EQ(Flat({"xyzzy"}), "unknown command 'xyzzy' | 'gpusight --help' lists what there is.");
  EXPECT_EQ(Flat({"log", "--intervall", "5s"}),
            "unknown option '--intervall' for 'gpusight log' | Did you mean '--interval'?");
  EXPECT_EQ(Flat({"log", "--intervall=5s"}),
            "unknown option '--intervall' for 'gpusight log' | Did you mean '--interval'?");
  EXPECT_EQ(Flat({"who", "--interval", "5s"}),
            "unknown option '--interval' for 'gpusight who' | 'gpusight who --help' lists what "
            "there is.");
  EXPECT_EQ(Flat({"log", "more"}),
            "'more' is one word too many for 'gpusight log' | 'gpusight log --help' lists what "
            "there is.");
  EXPECT_EQ(
      Flat({"log", "--interval"}),
      "option --interval needs exactly one value | 'gpusight log --help' lists what there is.");
  EXPECT_EQ(Flat({"log", "-i", "--json"}), Flat({"log", "--interval"}));
  EXPECT_EQ(Flat({"log", "-i", "--lang=zh"}), Flat({"log", "--interval"}));
  EXPECT_EQ(Flat({"log", "--interval=", "--json"}),
            "the value of --interval is empty | Give it one, or leave the option away.");
  EXPECT_EQ(Flat({"--lang", "en", "--", "log"}),
            "the command 'log' stands behind '--' | Did you mean 'gpusight log'?");
  EXPECT_EQ(Flat({"log", "who"}),
            "'who' is one word too many for 'gpusight log' | 'gpusight log --help' lists what "
            "there is.");
}

TEST_F(Parse, TakesAValueThatBeginsWithADashWhenItIsNoOption) {
  EXPECT_EQ(Flat({"log", "--interval", "-1s"}), "0 --interval=-1s");
  EXPECT_EQ(Flat({"log", "--device", "--odd"}), "0 --device=--odd");
}

TEST_F(Parse, NeverPrintsWhatATerminalWouldObey) {
  EXPECT_THAT(Flat({"\x1b[2J"}), ::testing::Not(::testing::HasSubstr("\x1b")));
  EXPECT_THAT(Flat({"log", "--\x1b[2J"}), ::testing::Not(::testing::HasSubstr("\x1b")));
}

TEST(PeekOption, FindsTheValueWhereverItStands) {
  EXPECT_EQ(PeekOption({"log", "--lang", "zh"}, "--lang"), "zh");
  EXPECT_EQ(PeekOption({"--lang=zh", "log"}, "--lang"), "zh");
  EXPECT_EQ(PeekOption({"log", "--lang"}, "--lang"), "");
  EXPECT_EQ(PeekOption({"log", "--language=zh"}, "--lang"), "");
  EXPECT_EQ(PeekOption({"--", "--lang", "zh"}, "--lang"), "");
}

}  // namespace
}  // namespace gpusight::cli
