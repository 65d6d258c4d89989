// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

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
  std::string line =
      Say(language, text::kErrorPrefix) + Sentence(language, Reason(error, language));
  if (!error.remedy.empty()) {
    if (language != Language::kChinese) line += ' ';
    line += Sentence(language, error.remedy);
  }
  line += '\n';
  // Nothing can be done when even standard error is gone.
  (void)world.err.Write(line);
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

// A terminal of a locale that is not UTF-8 would show our bars as rubbish. A pipe or a file gets
// UTF-8 whatever the locale.
bool UnicodeWanted(const World& world) {
  if (!world.out_is_terminal) return true;
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

}  // namespace

int RunProgram(const std::vector<std::string>& words, const World& world) {
  GlobalOptions options;
  Options global;
  DeclareGlobal(global, options);
  const std::vector<std::string> args = HelpAsOption(words, global);
  const Commands commands = AllCommands();
  std::deque<Options> declared(commands.size());
  std::vector<Grammar> grammars;
  for (size_t i = 0; i < commands.size(); ++i) {
    commands[i]->Declare(declared[i]);
    grammars.push_back({commands[i]->name(), &declared[i]});
  }

  Surface surface;
  surface.global = &global;
  for (size_t i = 0; i < commands.size(); ++i) {
    surface.commands.push_back({commands[i].get(), &declared[i]});
  }

  Language language = LanguageOfEnvironment(world.env);
  const std::vector<std::string> own(
      args.begin(), args.begin() + static_cast<ptrdiff_t>(OwnWords(args, global, grammars).own));
  if (const auto lang = PeekOption(own, "--lang"); !lang.empty()) language = LanguageOf(lang);
  const auto parsed = ParseArguments(args, global, grammars, language);
  if (!parsed) return Complain(world, language, parsed.error());
  SpeakLastWordsIn(language);
  Origins origins;
  if (auto set = Set(parsed->options, global, true, language, origins); !set) {
    return Complain(world, language, set.error());
  }
  int chosen = parsed->command;
  const bool awaits_hang_up = chosen >= 0 && !options.help && !options.version &&
                              commands[static_cast<size_t>(chosen)]->awaits_hang_up();
  if (!awaits_hang_up) AllowHangUp();
  const auto print = [&](const std::string& text) {
    const auto written = world.out.Write(text);
    if (written || world.out.broken()) return static_cast<int>(ExitCode::kOk);
    return Complain(world, language, written.error());
  };
  if (options.version) return print("gpusight " + std::string(kVersion) + "\n");
  if (options.help && chosen < 0) return print(ProgramHelp(commands, global, language));
  if (options.help) {
    const auto at = static_cast<size_t>(chosen);
    return print(CommandHelp(*commands[at], declared[at], global, language));
  }
  const std::string_view type = Variable(world.env, "TERM");
  const bool has_screen = !type.empty() && type != "dumb";
  if (chosen < 0 && has_screen && world.out_is_terminal && world.in_is_terminal) {
    chosen = FindCommand(commands, "top");
  }
  if (chosen < 0) chosen = FindCommand(commands, "status");

  // The file, then the command line over it; the language may come from either.
  const std::string config = ConfigPath(options.config, world.env);
  auto settings = ReadConfig(config, !options.config.empty(), language);
  if (!settings) {
    const int code = Complain(world, language, settings.error());
    // Nobody asked for this file, so it does not stand in the way of what was asked for.
    if (settings.error().code != ErrorCode::kIo) return code;
    settings = std::vector<Setting>();
  }
  auto set = ApplyConfig(*settings, config, global, grammars, -1, language, origins);
  if (set) set = Set(parsed->options, global, true, language, origins);
  if (set && !options.lang.empty()) language = LanguageOf(options.lang);
  SpeakLastWordsIn(language);
  if (set) set = ApplyConfig(*settings, config, global, grammars, chosen, language, origins);
  if (set) set = Set(parsed->options, global, false, language, origins);
  if (!set) return Complain(world, language, set.error());
  if (const Option* rest = declared[static_cast<size_t>(chosen)].rest()) *rest->rest = parsed->rest;

  if (!options.root.empty() && !ListFolder(options.root)) {
    return Complain(world, language,
                    {ErrorCode::kUsage,
                     origins.Place("--root", options.root) +
                         Say(language, text::kNoRoot, Printable(options.root)),
                     Say(language, text::kNoRootRemedy)});
  }
  const auto diary_fd = OpenDiary(options.log_file);
  if (!diary_fd) {
    return Complain(world, language,
                    {ErrorCode::kIo,
                     origins.Place("--log-file", options.log_file) +
                         Say(language, text::kNoDiary, Reason(diary_fd.error(), language)),
                     Say(language, text::kNoDiaryRemedy)});
  }
  FdOutput diary_output(diary_fd->get(), options.log_file);
  Output& diary = diary_fd->valid() ? static_cast<Output&>(diary_output) : world.err;
  Log log(world.clock, [&diary](std::string_view line) { (void)diary.Write(line); });

  if (options.demo) UseDemo(options, world.program);
  const auto columns = ColumnsOf(world);
  Context context{.clock = world.clock,
                  .log = log,
                  .out = world.out,
                  .err = world.err,
                  .env = world.env,
                  .variables = world.variables,
                  .options = options,
                  .language = language,
                  .root = Root(options.root),
                  .out_is_terminal = world.out_is_terminal,
                  .in_is_terminal = world.in_is_terminal,
                  .err_is_terminal = world.err_is_terminal,
                  .color = ColorWanted(options, world),
                  .unicode = UnicodeWanted(world),
                  .columns = columns.value_or(80),
                  .columns_known = columns.has_value(),
                  .program = world.program,
                  .surface = &surface,
                  .diary = diary_fd->get(),
                  .inherited = world.inherited,
                  .origins = std::move(origins)};
  const auto result = commands[static_cast<size_t>(chosen)]->Run(context);
  if (!result) {
    if (world.out.broken()) return static_cast<int>(ExitCode::kOk);
    return Complain(world, language, result.error());
  }
  return static_cast<int>(*result);
}

}  // namespace gpusight::cli
