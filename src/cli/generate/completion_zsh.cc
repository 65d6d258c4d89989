// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text.h"
#include "cli/generate/completion.h"

namespace gpusight::cli {
namespace {

// Inside the single quotes of a specification: ' and the characters that _arguments reads.
std::string Escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string Action(const Option& option) {
  switch (option.offer) {
    case Offer::kWords:
      return fmt::format("({})", fmt::join(option.words, " "));
    case Offer::kFields:
      return "_sequence compadd - $_gpusight_fields";
    case Offer::kDevices:
      return "_sequence compadd - $(gpusight __complete devices 2>/dev/null)";
    case Offer::kFile:
      return "_files";
    case Offer::kFolder:
      return "_files -/";
    case Offer::kProgram:
      return "_normal";
    case Offer::kNothing:
      return " ";
  }
  return " ";
}

// The specifications of _arguments, one per name.
std::string Specifications(const Options& options, Language language) {
  std::string out;
  for (const Option& option : options.all()) {
    if (option.is_positional()) {
      const std::string_view place = option.rest != nullptr ? "*:" : "1";
      out += fmt::format(" \\\n      '{}:{}:{}'", place, option.names, Action(option));
      continue;
    }
    for (const std::string_view name : Split(option.names, ',')) {
      const std::string_view stuck = option.is_switch() ? "" : name.starts_with("--") ? "=" : "+";
      out += fmt::format(" \\\n      '{}{}{}[{}]", option.list ? "*" : "", name, stuck,
                         Escape(Say(language, option.help)));
      if (!option.is_switch()) out += fmt::format(":{}:{}", option.value, Action(option));
      out += '\'';
    }
  }
  return out;
}

}  // namespace

std::string ZshCompletion(const Surface& surface, Language language) {
  // Two ways to load it: as a file of $fpath, whose body is the function, and sourced, where it
  // must name its function and tell compdef of it.
  std::string out = "#compdef gpusight\n# made by `gpusight completion zsh`\n\n_gpusight() {\n";
  out +=
      fmt::format("local -a _gpusight_fields=({})\nlocal -a _gpusight_commands=(\n", FieldWords());
  for (const SurfaceCommand& c : surface.commands) {
    if (c.command->hidden()) continue;
    out +=
        fmt::format("  '{}:{}'\n", c.command->name(), Escape(Say(language, c.command->summary())));
  }
  const std::string global = Specifications(*surface.global, language);
  out += ")\n\nlocal context state state_descr line\nlocal -A opt_args\n";
  out += fmt::format("_arguments -C{} \\\n      '1: :->command' '*:: :->rest' && return\n", global);
  out += "case $state in\n  command) _describe command _gpusight_commands ;;\n";
  out += "  rest)\n    case $line[1] in\n";
  for (const SurfaceCommand& c : surface.commands) {
    if (c.command->hidden()) continue;
    // Behind "--" stands another program, of whose words _arguments would make ours.
    const std::string_view other = c.options->rest() == nullptr
                                       ? ""
                                       : "if (( words[(I)--] && words[(i)--] < CURRENT )); then\n"
                                         "        CURRENT=$((CURRENT - words[(i)--]))\n"
                                         "        shift ${words[(i)--]} words\n        _normal\n   "
                                         "     return\n      fi\n      ";
    out += fmt::format("    {}) {}_arguments{}{} ;;\n", c.command->name(), other,
                       Specifications(*c.options, language), global);
  }
  out += "    esac ;;\nesac\n}\n\n";
  out += "if [[ ${funcstack[1]} == _gpusight ]]; then\n  _gpusight \"$@\"\n";
  out += "elif (( ! $+functions[compdef] )); then\n  autoload -Uz compinit && compinit\n";
  out += "  compdef _gpusight gpusight\nelse\n  compdef _gpusight gpusight\nfi\n";
  return out;
}

}  // namespace gpusight::cli
