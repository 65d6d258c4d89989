// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text.h"
#include "cli/generate/completion.h"

namespace gpusight::cli {
namespace {

// As a string in single quotes.
std::string Quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + '\'';
}

std::string Arguments(const Option& option) {
  switch (option.offer) {
    case Offer::kWords:
      return " -x -a " + Quoted(fmt::format("{}", fmt::join(option.words, " ")));
    case Offer::kFields:
      return " -x -a '(__gpusight_list $__gpusight_fields)'";
    case Offer::kDevices:
      return " -x -a '(__gpusight_list (gpusight __complete devices 2>/dev/null))'";
    case Offer::kFile:
      return " -r -F";
    case Offer::kFolder:
      return " -x -a '(__fish_complete_directories)'";
    case Offer::kProgram:
      return " -x -a '(__fish_complete_subcommand --fcs-skip=2)'";
    case Offer::kNothing:
      return " -x";
  }
  return "";
}

void Add(std::string& out, const Options& options, const std::string& condition,
         Language language) {
  for (const Option& option : options.all()) {
    out += "complete -c gpusight";
    if (!condition.empty()) out += " -n " + Quoted(condition);
    if (option.is_positional()) {
      // "-r" belongs to options that need a value.
      out += (option.offer == Offer::kFile ? " -F" : Arguments(option)) + '\n';
      continue;
    }
    for (std::string_view name : Split(option.names, ',')) {
      const bool is_long = name.starts_with("--");
      name.remove_prefix(is_long ? 2 : 1);
      out += fmt::format(" -{} {}", is_long ? 'l' : 's', name);
    }
    if (!option.is_switch()) out += Arguments(option);
    out += " -d " + Quoted(Say(language, option.help)) + '\n';
  }
}

constexpr std::string_view kHead =
    R"(# fish completion for gpusight; made by `gpusight completion fish`

# Several values separated by commas: completes the last one.
function __gpusight_list
    set -l before (string match -r '^.*,' -- (commandline -ct | string replace -r '^--?[a-z-]+=' ''))
    for word in $argv
        echo "$before$word"
    end
end

complete -c gpusight -f
)";

}  // namespace

std::string FishCompletion(const Surface& surface, Language language) {
  std::string out(kHead);
  out += "set -g __gpusight_fields " + FieldWords() + "\n\n";
  for (const SurfaceCommand& c : surface.commands) {
    if (c.command->hidden()) continue;
    out += fmt::format("complete -c gpusight -n __fish_use_subcommand -a {} -d {}\n",
                       c.command->name(), Quoted(Say(language, c.command->summary())));
    Add(out, *c.options, fmt::format("__fish_seen_subcommand_from {}", c.command->name()),
        language);
  }
  Add(out, *surface.global, "", language);
  return out;
}

}  // namespace gpusight::cli
