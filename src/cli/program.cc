// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include "base/text.h"
#include "cli/demo.h"
#include "cli/help.h"
#include "cli/last_words.h"
#include "cli/parse.h"
#include "cli/reason.h"
#include "cli/registry.h"
#include "cli/schedule.h"
#include "cli/settings.h"
#include "cli/surface.h"
#include "cli/version.h"
#include "model/text/cli.h"
#include "model/text/system.h"

namespace gpusight::cli {
namespace {

using Commands = std::vector<std::unique_ptr<Command>>;

std::string_view Variable(const Environment& env, const char* name) {
  const char* value = env(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

Language LanguageOfEnvironment(const Environment& env) {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    if (const auto value = Variable(env, name); !value.empty()) return LanguageOf(value);
  }
  return Language::kEnglish;
}

void DeclareGlobal(Options& options, GlobalOptions& global) {
  options.File("--nvml", "PATH", text::kOptNvml, global.nvml);
  options.File("--root", "DIR", text::kOptRoot, global.root).offer = Offer::kFolder;
  options.Choice("--lang", {"en", "zh"}, text::kOptLang, global.lang);
  options.File("--config", "FILE", text::kOptConfig, global.config).in_config = false;
  options.Switch("--demo", text::kOptDemo, global.demo).in_config = false;
  options.Choice("--color", {"auto", "always", "never"}, text::kOptColor, global.color);
  options.File("--log-file", "FILE", text::kOptLogFile, global.log_file);
  options.Switch("-h,--help", text::kOptHelp, global.help).in_config = false;
  options.Switch("-V,--version", text::kOptVersion, global.version).in_config = false;
}

int Complain(const World& world, Language language, const Error& error) {
  if (error.system == EBADF && error.what.starts_with("standard output")) {
    return Complain(
        world, language,
        {error.code, Say(language, text::kOutputClosed), Say(language, text::kOutputClosedRemedy)});
  }
  std::string line = Sentence(language, Reason(error, language));
  if (!error.remedy.empty()) {
    if (language != Language::kChinese) line += ' ';
    line += Sentence(language, error.remedy);
  }
  // Nothing can be done when even standard error is gone.
  (void)world.err.Write(WarningLine(line, world.err_columns, language));
  return static_cast<int>(ExitCodeOf(error.code));
}

// The recorded machine that is built and installed beside the program.
void UseDemo(GlobalOptions& options, const std::string& program) {
  const std::string folder = FakeFolder(program);
  if (options.nvml.empty()) options.nvml = folder + "/libnvidia-ml.so.1";
  if (options.root.empty()) options.root = folder + "/demo/root";
  // Only our own process sees it; the library reads it when it is loaded.
  setenv("GPUSIGHT_FAKE_SCENARIO", (folder + "/demo/scenario.json").c_str(), 0);
}

int FindCommand(const Commands& commands, std::string_view name) {
  for (size_t i = 0; i < commands.size(); ++i) {
    if (commands[i]->name() == name) return static_cast<int>(i);
  }
  return -1;
}

// Whoever reads in a locale that is not UTF-8 would see our bars and signs as rubbish, on a
// terminal as behind a pipe. Data for programs (JSON, CSV) asks no locale.
bool UnicodeWanted(const World& world) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = Variable(world.env, name);
    if (value.empty()) continue;
    const auto has = [value](std::string_view word) { return value.find(word) < value.size(); };
    return has("UTF-8") || has("utf-8") || has("UTF8") || has("utf8");
  }
  return false;
}

// The terminal's width, else COLUMNS when that is sane, else nothing.
std::optional<int> ColumnsOf(const World& world) {
  constexpr int kLeast = 20, kMost = 10000;
  if (world.columns > 0) return world.columns;
  const auto columns = ParseNumber<int>(Variable(world.env, "COLUMNS"));
  return columns && *columns >= kLeast && *columns <= kMost ? columns : std::nullopt;
}

bool ColorWanted(const GlobalOptions& options, const World& world) {
  if (options.color != "auto") return options.color == "always";
  return world.out_is_terminal && Variable(world.env, "NO_COLOR").empty() &&
         Variable(world.env, "TERM") != "dumb";
}

// Sets the global options or the command's from the command line, over what the file said.
Result<void> Set(const std::vector<Given>& given, const Options& global, bool globals,
                 Language language, Origins& origins) {
  for (const Given& one : given) {
    const bool is_global = global.Find(one.option->long_name()) == one.option;
    if (is_global != globals) continue;
    if (auto taken = one.option->Take(one.value, language); !taken) return taken;
    origins.Forget(*one.option);
  }
  return {};
}

// "gpusight help COMMAND" as "gpusight --help COMMAND".
std::vector<std::string> HelpAsOption(std::vector<std::string> args, const Options& global) {
  for (size_t i = 0; i < args.size() && args[i] != "--"; ++i) {
    if (!args[i].starts_with('-')) {
      if (args[i] == "help") args[i] = "--help";
      break;
    }
    const Option* option = global.Named(args[i]);
    if (option != nullptr && !option->is_switch()) ++i;  // its value
  }
  return args;
}

// Opens --log-file for appending; an invalid descriptor when there is none.
Result<UniqueFd> OpenDiary(const std::string& path) {
  if (path.empty()) return UniqueFd();
  UniqueFd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd.valid()) return tl::unexpected(ErrnoError(errno, path));
  return fd;
}

// One call of the program, step by step. Each step returns the exit code when that ends it.
class Invocation {
 public:
  explicit Invocation(const World& world)
      : world_(world),
        commands_(AllCommands()),
        declared_(commands_.size()),
        language_(LanguageOfEnvironment(world.env)) {
    DeclareGlobal(global_, options_);
    for (size_t i = 0; i < commands_.size(); ++i) {
      commands_[i]->Declare(declared_[i]);
      grammars_.push_back({commands_[i]->name(), &declared_[i]});
      surface_.commands.push_back({commands_[i].get(), &declared_[i]});
    }
    surface_.global = &global_;
  }
  // What is declared keeps addresses.
  Invocation(const Invocation&) = delete;
  Invocation& operator=(const Invocation&) = delete;

  int Run(const std::vector<std::string>& words) {
    if (const auto code = Parse(words)) return *code;
    if (const auto code = TellOfItself()) return *code;
    Choose();
    if (const auto code = Configure()) return *code;
    return RunCommand();
  }

 private:
  using Ended = std::optional<int>;  // nullopt: go on

  int Complain(const Error& error) const { return cli::Complain(world_, language_, error); }
  const Command& command() const { return *commands_[static_cast<size_t>(chosen_)]; }

  Ended Parse(const std::vector<std::string>& words) {
    const std::vector<std::string> args = HelpAsOption(words, global_);
    const auto count = static_cast<ptrdiff_t>(OwnWords(args, global_, grammars_).own);
    const std::vector<std::string> own(args.begin(), args.begin() + count);
    // Complaints about the words are in the language that they ask for.
    if (const auto lang = PeekOption(own, "--lang"); !lang.empty()) language_ = LanguageOf(lang);
    auto parsed = ParseArguments(args, global_, grammars_, language_);
    if (!parsed) return Complain(parsed.error());
    parsed_ = std::move(*parsed);
    chosen_ = parsed_.command;
    SpeakLastWordsIn(language_);
    if (auto set = SetGlobals(); !set) return Complain(set.error());
    const bool waits =
        chosen_ >= 0 && !options_.help && !options_.version && command().awaits_hang_up();
    if (!waits) AllowHangUp();
    return {};
  }

  Result<void> SetGlobals() { return Set(parsed_.options, global_, true, language_, origins_); }

  // --version and --help.
  Ended TellOfItself() {
    if (options_.version) return Print("gpusight " + std::string(kVersion) + "\n");
    if (!options_.help) return {};
    if (chosen_ < 0)
      return Print(ProgramHelp(commands_, global_, language_, ColumnsOf(world_).value_or(80)));
    const auto at = static_cast<size_t>(chosen_);
    return Print(
        CommandHelp(command(), declared_[at], global_, language_, ColumnsOf(world_).value_or(80)));
  }

  int Print(const std::string& text) const {
    const auto written = world_.out.Write(text);
    if (written || world_.out.broken()) return static_cast<int>(ExitCode::kOk);
    return Complain(written.error());
  }

  // Where nobody named a command: top on a terminal, status elsewhere.
  void Choose() {
    const std::string_view type = Variable(world_.env, "TERM");
    const bool has_screen = !type.empty() && type != "dumb";
    if (chosen_ < 0 && has_screen && world_.out_is_terminal && world_.in_is_terminal) {
      chosen_ = FindCommand(commands_, "top");
    }
    if (chosen_ < 0) chosen_ = FindCommand(commands_, "status");
  }

  // The file, then the command line over it; the language may come from either.
  Ended Configure() {
    const std::string path = ConfigPath(options_.config, world_.env);
    auto settings = ReadConfig(path, !options_.config.empty(), language_);
    if (!settings) {
      const int code = Complain(settings.error());
      // Nobody asked for this file, so it does not stand in the way of what was asked for.
      if (settings.error().code != ErrorCode::kIo) return code;
      settings = std::vector<Setting>();
    }
    auto set = ApplyConfig(*settings, path, global_, grammars_, -1, language_, origins_);
    if (set) set = SetGlobals();
    if (set && !options_.lang.empty()) language_ = LanguageOf(options_.lang);
    SpeakLastWordsIn(language_);
    if (set) set = ApplyConfig(*settings, path, global_, grammars_, chosen_, language_, origins_);
    if (set) set = Set(parsed_.options, global_, false, language_, origins_);
    if (!set) return Complain(set.error());
    const Option* rest = declared_[static_cast<size_t>(chosen_)].rest();
    if (rest != nullptr) *rest->rest = parsed_.rest;
    return {};
  }

  int RunCommand() {
    if (!options_.root.empty() && !ListFolder(options_.root)) {
      return Complain({ErrorCode::kUsage,
                       origins_.Place("--root", options_.root) +
                           Say(language_, text::kNoRoot, Printable(options_.root)),
                       Say(language_, text::kNoRootRemedy)});
    }
    const auto file = OpenDiary(options_.log_file);
    if (!file) {
      return Complain({ErrorCode::kIo,
                       origins_.Place("--log-file", options_.log_file) +
                           Say(language_, text::kNoDiary, Reason(file.error(), language_)),
                       Say(language_, text::kNoDiaryRemedy)});
    }
    FdOutput diary_output(file->get(), options_.log_file);
    Output& diary = file->valid() ? static_cast<Output&>(diary_output) : world_.err;
    Log log(world_.clock, [&diary](std::string_view line) { (void)diary.Write(line); });
    if (options_.demo) UseDemo(options_, world_.program);
    Context context = MakeContext(log, file->get());
    const auto result = commands_[static_cast<size_t>(chosen_)]->Run(context);
    if (result) return static_cast<int>(*result);
    if (world_.out.broken()) return static_cast<int>(ExitCode::kOk);
    return Complain(result.error());
  }

  Context MakeContext(Log& log, int diary) {
    const auto columns = ColumnsOf(world_);
    return {.clock = world_.clock,
            .log = log,
            .out = world_.out,
            .err = world_.err,
            .env = world_.env,
            .variables = world_.variables,
            .options = options_,
            .language = language_,
            .root = Root(options_.root),
            .out_is_terminal = world_.out_is_terminal,
            .in_is_terminal = world_.in_is_terminal,
            .err_is_terminal = world_.err_is_terminal,
            .color = ColorWanted(options_, world_),
            .unicode = UnicodeWanted(world_),
            .columns = columns.value_or(80),
            .columns_known = columns.has_value(),
            .err_columns = world_.err_columns,
            .program = world_.program,
            .surface = &surface_,
            .diary = diary,
            .inherited = world_.inherited,
            .origins = std::move(origins_)};
  }

  const World& world_;
  GlobalOptions options_;
  Options global_;
  const Commands commands_;
  std::deque<Options> declared_;  // by command
  std::vector<Grammar> grammars_;
  Surface surface_;
  Language language_;
  Origins origins_;
  Parsed parsed_;
  int chosen_ = -1;  // position of the command
};

}  // namespace

int RunProgram(const std::vector<std::string>& words, const World& world) {
  return Invocation(world).Run(words);
}

}  // namespace gpusight::cli
