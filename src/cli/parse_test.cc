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
    run.String("-n,--name", "NAME", text::kOptLang, name);
    run.Switch("--quiet", text::kOptLang, quiet);
    run.Rest("COMMAND", text::kOptLang, rest);
  }
  Result<Parsed> Args(const std::vector<std::string>& args) {
    return ParseArguments(args, global, grammars, Language::kEnglish);
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
  // What of the words is another program's, behind our own: "--name=x | prog --flag".
  std::string Cut(const std::vector<std::string>& args) {
    const auto parsed = Args(args);
    if (!parsed) return parsed.error().what;
    std::string out;
    for (const Given& g : parsed->options) {
      out += std::string(g.option->long_name()) + "=" + g.value + " ";
    }
    out += "|";
    for (const std::string& word : parsed->rest) out += " " + word;
    return out;
  }
  Options global, log, who, run;
  std::vector<Grammar> grammars{{"log", &log}, {"who", &who}, {"run", &run}};
  std::string lang;
  std::string name;
  std::vector<std::string> rest;
  bool help = false, json = false, quiet = false;
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

TEST_F(Parse, PassesOverTwoDashesWithNothingBehindThem) {
  EXPECT_EQ(Flat({"--"}), "-1");
  EXPECT_EQ(Flat({"log", "--json", "--"}), "0 --json=true");
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

TEST_F(Parse, LeavesTheWordsOfAnotherProgramAlone) {
  EXPECT_EQ(Cut({"run", "--", "python", "--name", "x", "--"}), "| python --name x --");
  EXPECT_EQ(Cut({"run", "-n", "a", "--", "log", "--lang=fr"}), "--name=a | log --lang=fr");
  EXPECT_EQ(Cut({"run", "python", "-c", "--quiet"}), "| python -c --quiet");
  EXPECT_EQ(Cut({"run", "--quiet", "python", "-n"}), "--quiet=true | python -n");
  EXPECT_EQ(Cut({"--lang", "zh", "run", "--name=--", "--", "--odd"}),
            "--lang=zh --name=-- | --odd");
  EXPECT_EQ(Cut({"run", "--lang", "zh", "who"}), "--lang=zh | who");
  EXPECT_EQ(Cut({"run", "-", "x"}), "| - x");
  EXPECT_EQ(Cut({"run", "--", "--"}), "| --");
  EXPECT_EQ(Cut({"run", "--"}), "|");
  EXPECT_EQ(Cut({"run"}), "|");
  EXPECT_EQ(Cut({"run", "--nmae", "x", "--", "y"}), "unknown option '--nmae' for 'gpusight run'");
}

TEST_F(Parse, TakesTheLanguageFromItsOwnWordsOnly) {
  const std::vector<std::string> args{"run", "python", "--lang", "zh"};
  EXPECT_EQ(OwnWords(args, global, grammars).own, 1u);
  EXPECT_EQ(PeekOption({args[0]}, "--lang"), "");
}

}  // namespace
}  // namespace gpusight::cli
