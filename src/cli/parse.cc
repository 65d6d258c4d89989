// SPDX-License-Identifier: Apache-2.0
#include "cli/parse.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.h"
#include "cli/nearest.h"
#include "model/text/cli.h"

namespace gpusight::cli {
namespace {

using Bound = std::pair<const Option*, CLI::Option*>;

void Bind(CLI::App& app, const Options& options, std::vector<Bound>& bound) {
  app.set_help_flag();
  for (const Option& option : options.all()) {
    if (option.rest != nullptr) continue;  // cut off before
    const std::string names(option.names);
    CLI::Option* own = option.is_switch() ? app.add_flag(names) : app.add_option(names);
    if (!option.is_switch()) {
      own->expected(1)->allow_extra_args(false)->multi_option_policy(
          CLI::MultiOptionPolicy::TakeAll);
    }
    bound.emplace_back(&option, own);
  }
}

void Collect(const std::vector<Bound>& bound, std::vector<Given>& given) {
  for (const auto& [option, own] : bound) {
    if (own->count() == 0) continue;
    Given one{option, {}};
    if (option->is_switch()) {
      one.value = own->results().back();
    } else if (option->list) {
      one.value = fmt::format("{}", fmt::join(own->results(), ","));
    } else {
      one.value = own->results().back();
    }
    given.push_back(std::move(one));
  }
}

bool IsCommand(std::string_view word, const std::vector<Grammar>& commands) {
  return std::any_of(commands.begin(), commands.end(),
                     [word](const Grammar& g) { return g.name == word; });
}

// What CLI11 would understand, but not as it was meant: a value that is missing, so that the next
// option would be taken for it, and a command behind "--".
Result<void> CheckWords(const std::vector<std::string>& args, const Options& global,
                        const std::vector<Grammar>& commands, Language language) {
  const Options* own = nullptr;
  const auto find = [&](std::string_view name) {
    const Option* option = own != nullptr ? own->Named(name) : nullptr;
    return option != nullptr ? option : global.Named(name);
  };
  std::string subject = "gpusight";
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string_view word = args[i];
    if (word == "--") {
      if (own != nullptr || i + 1 == args.size() || !IsCommand(args[i + 1], commands)) return {};
      return Fail(ErrorCode::kUsage, Say(language, text::kBehindDashes, args[i + 1]),
                  Say(language, text::kDidYouMean, fmt::format("gpusight {}", args[i + 1])));
    }
    if (!word.starts_with('-')) {
      if (own != nullptr) continue;
      for (const Grammar& g : commands) {
        if (g.name != word) continue;
        own = g.options;
        subject += fmt::format(" {}", word);
      }
      continue;
    }
    const size_t equals = word.find('=');
    const Option* option = find(word.substr(0, equals));
    if (option == nullptr) continue;
    if (equals == std::string_view::npos) {
      if (option->is_switch()) continue;
      ++i;
      if (i < args.size() && find(args[i].substr(0, args[i].find('='))) == nullptr) continue;
      return Fail(ErrorCode::kUsage, Say(language, text::kNeedsValue, option->long_name()),
                  Say(language, text::kSeeHelp, subject));
    }
    if (equals + 1 == word.size()) return option->Empty(language);
  }
  return {};
}

tl::unexpected<Error> Unknown(Language language, std::string_view word, const Options& global,
                              const std::vector<Grammar>& commands, int command) {
  const bool is_option = word.starts_with('-') && word.size() > 1;
  std::vector<std::string_view> candidates;
  if (is_option) {
    word = word.substr(0, word.find('='));
    const auto add = [&](const Options& options) {
      for (const Option& o : options.all()) {
        if (!o.is_positional()) candidates.push_back(o.long_name());
      }
    };
    if (command >= 0) add(*commands[static_cast<size_t>(command)].options);
    add(global);
  } else if (command < 0) {
    for (const Grammar& g : commands) {
      if (!g.name.starts_with('_')) candidates.push_back(g.name);
    }
  }
  const std::string shown = Printable(word);
  if (is_option && command >= 0 &&
      commands[static_cast<size_t>(command)].options->Named(word) != nullptr) {
    const auto name = commands[static_cast<size_t>(command)].name;
    return Fail(ErrorCode::kUsage, Say(language, text::kOptionOfCommand, shown, name),
                Say(language, text::kBehindCommand, fmt::format("gpusight {} {}", name, shown)));
  }
  const std::string subject =
      command >= 0 ? fmt::format("gpusight {}", commands[static_cast<size_t>(command)].name)
                   : "gpusight";
  std::string what = is_option     ? Say(language, text::kUnknownOption, shown, subject)
                     : command < 0 ? Say(language, text::kUnknownCommand, shown)
                                   : Say(language, text::kUnexpectedArgument, shown, subject);
  const auto near = Nearest(word, candidates);
  return Fail(
      ErrorCode::kUsage, std::move(what),
      near ? Say(language, text::kDidYouMean, *near) : Say(language, text::kSeeHelp, subject));
}

// CLI11's messages begin with the option's name.
tl::unexpected<Error> Translate(const CLI::ParseError& error, const std::string& subject,
                                Language language) {
  const std::string message = error.what();
  const std::string name = message.substr(0, message.find_first_of(": "));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && name.starts_with('-')) {
    return Fail(ErrorCode::kUsage, Say(language, text::kNeedsValue, name),
                Say(language, text::kSeeHelp, subject));
  }
  return Fail(ErrorCode::kUsage, Say(language, text::kBadCommandLine, Printable(message)),
              Say(language, text::kSeeHelp, subject));
}

}  // namespace

Result<Parsed> ParseArguments(const std::vector<std::string>& all, const Options& global,
                              const std::vector<Grammar>& commands, Language language) {
  const Extent extent = OwnWords(all, global, commands);
  const std::vector<std::string> args(all.begin(),
                                      all.begin() + static_cast<ptrdiff_t>(extent.own));
  if (auto sound = CheckWords(args, global, commands, language); !sound) {
    return tl::unexpected(std::move(sound.error()));
  }
  Parsed parsed;
  parsed.rest.assign(all.begin() + static_cast<ptrdiff_t>(extent.rest), all.end());
  std::string subject = "gpusight";  // what a complaint is about
  // Only CLI11 throws here, and only errors about the command line.
  try {
    CLI::App app;
    std::vector<Bound> bound;
    Bind(app, global, bound);
    app.allow_extras();
    // Only the grammar of the command that is named is needed; building all of them would cost
    // every start as much as the parse itself.
    for (const Grammar& grammar : commands) {
      if (std::find(args.begin(), args.end(), grammar.name) == args.end()) continue;
      if (subject == "gpusight") subject += fmt::format(" {}", grammar.name);
      CLI::App* sub = app.add_subcommand(std::string(grammar.name));
      sub->fallthrough()->allow_extras();
      Bind(*sub, *grammar.options, bound);
    }
    app.require_subcommand(0, 1);
    std::vector<std::string> reversed(args.rbegin(), args.rend());
    app.parse(std::move(reversed));
    if (const auto used = app.get_subcommands(); !used.empty()) {
      const auto at = std::find_if(commands.begin(), commands.end(), [&](const Grammar& g) {
        return g.name == used.front()->get_name();
      });
      parsed.command = static_cast<int>(at - commands.begin());
    }
    if (const auto extras = app.remaining(true); !extras.empty()) {
      const auto first = std::find_if(extras.begin(), extras.end(),
                                      [](const std::string& word) { return word != "--"; });
      // A lone "--" only ends the options.
      if (first != extras.end()) {
        return Unknown(language, *first, global, commands, parsed.command);
      }
    }
    Collect(bound, parsed.options);
  } catch (const CLI::ParseError& error) {
    return Translate(error, subject, language);
  }
  return parsed;
}

Extent OwnWords(const std::vector<std::string>& args, const Options& global,
                const std::vector<Grammar>& commands) {
  const Options* own = nullptr;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string_view word = args[i];
    const bool takes_rest = own != nullptr && own->rest() != nullptr;
    if (word == "--") {
      if (takes_rest) return {i, i + 1};
      break;
    }
    if (word.size() < 2 || !word.starts_with('-')) {
      if (takes_rest) return {i, i};
      if (own != nullptr) break;  // the command has no rest
      for (const Grammar& g : commands) {
        if (g.name == word) own = g.options;
      }
      continue;
    }
    const Option* option = own != nullptr ? own->Named(word) : nullptr;
    if (option == nullptr) option = global.Named(word);
    if (option != nullptr && !option->is_switch()) ++i;
  }
  return {args.size(), args.size()};
}

std::string_view PeekOption(const std::vector<std::string>& args, std::string_view name) {
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string_view arg = args[i];
    if (arg == "--") break;
    if (arg == name && i + 1 < args.size()) return args[i + 1];
    if (arg.size() > name.size() && arg.starts_with(name) && arg[name.size()] == '=') {
      return arg.substr(name.size() + 1);
    }
  }
  return {};
}

}  // namespace gpusight::cli
