// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text.h"
#include "cli/generate/completion.h"
#include "export/log_field.h"

namespace gpusight::cli {
namespace {

// "-i|--interval", a pattern of a case statement; `command` limits it to one command.
std::string Pattern(std::string_view command, const Option& option) {
  std::string out;
  for (const std::string_view name : Split(option.names, ',')) {
    out += fmt::format("{}{}:{}", out.empty() ? "" : "|", command, name);
  }
  return out;
}

// The statement that offers the option's values.
std::string Offering(const Option& option) {
  switch (option.offer) {
    case Offer::kWords:
      return fmt::format("_gpusight_words \"{}\"", fmt::join(option.words, " "));
    case Offer::kFields:
      return "_gpusight_list \"$_gpusight_fields\"";
    case Offer::kDevices:
      return "_gpusight_list \"$(gpusight __complete devices 2>/dev/null)\"";
    case Offer::kFile:
      return "_gpusight_files -f";
    case Offer::kFolder:
      return "_gpusight_files -d";
    case Offer::kProgram:
      return "_gpusight_program";
    case Offer::kNothing:
      return "COMPREPLY=()";
  }
  return "";
}

void AddValues(std::string& out, std::string_view command, const Options& options) {
  for (const Option& option : options.all()) {
    if (option.is_switch() || option.is_positional()) continue;
    out += fmt::format("    {}) {}; return ;;\n", Pattern(command, option), Offering(option));
  }
}

std::string Names(const Options& options) {
  std::string out;
  for (const Option& option : options.all()) {
    if (option.is_positional()) continue;
    for (const std::string_view name : Split(option.names, ',')) {
      out += fmt::format("{}{}", out.empty() ? "" : " ", name);
    }
  }
  return out;
}

std::string Words(const Options& options) {
  std::string out;
  for (const Option& option : options.all()) {
    if (option.is_positional()) out += fmt::format("{}", fmt::join(option.words, " "));
  }
  return out;
}

// What offers a word without a dash, where that is no list of words.
std::string Places(const Options& options) {
  for (const Option& option : options.all()) {
    if (!option.is_positional() || option.offer == Offer::kWords) continue;
    if (option.offer != Offer::kNothing) return Offering(option);
  }
  return "";
}

constexpr std::string_view kHead =
    R"(# bash completion for gpusight; made by `gpusight completion bash`

_gpusight_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }

# Several values separated by commas: completes the last one.
_gpusight_list() {
  local before=
  case $cur in *,*) before=${cur%,*}, ;; esac
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${cur##*,}"))
  compopt -o nospace 2>/dev/null
}

_gpusight_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}

# Another program and its arguments.
_gpusight_program() {
  if declare -F _comp_command_offset >/dev/null; then
    _comp_command_offset $at
  elif declare -F _command_offset >/dev/null; then
    _command_offset $at
  elif [ "$COMP_CWORD" = "$at" ]; then
    _gpusight_files -c
  else
    _gpusight_files -f
  fi
}

)";

constexpr std::string_view kBody = R"(
_gpusight() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev= command= word i
  [ "$COMP_CWORD" -gt 0 ] && prev=${COMP_WORDS[COMP_CWORD - 1]}
  # "--lang=zh" arrives as three words.
  if [ "$cur" = = ]; then
    cur=
  elif [ "$prev" = = ] && [ "$COMP_CWORD" -gt 1 ]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    case " $_gpusight_commands " in *" $word "*) command=$word && break ;; esac
  done
  # Behind "--" stands another program.
  local at=$COMP_CWORD
  for ((++i; i < COMP_CWORD; ++i)); do
    [ "${COMP_WORDS[i]}" = -- ] && at=$((i + 1)) && { _gpusight_program; return; }
  done
)";

}  // namespace

std::string FieldWords() {
  std::string out;
  for (const exporting::LogField field : exporting::AllLogFields(true)) {
    out += fmt::format("{}{}", out.empty() ? "" : " ", exporting::ShortName(field));
  }
  return out;
}

std::string BashCompletion(const Surface& surface) {
  std::string commands, values, options, places;
  for (const SurfaceCommand& c : surface.commands) {
    if (c.command->hidden()) continue;
    commands += fmt::format("{}{}", commands.empty() ? "" : " ", c.command->name());
    AddValues(values, c.command->name(), *c.options);
    options += fmt::format("    {}) options=\"{}\" words=\"{}\" ;;\n", c.command->name(),
                           Names(*c.options), Words(*c.options));
    if (const std::string place = Places(*c.options); !place.empty()) {
      places += fmt::format("    {}:[!-]* | {}:) {}; return ;;\n", c.command->name(),
                            c.command->name(), place);
    }
  }
  AddValues(values, "*", *surface.global);
  std::string out(kHead);
  out +=
      fmt::format("_gpusight_commands=\"{}\"\n_gpusight_fields=\"{}\"\n", commands, FieldWords());
  out += kBody;
  out += "  case $command:$prev in\n" + values + "  esac\n";
  out += "  local options= words=\n  case $command in\n" + options +
         "    '') words=$_gpusight_commands ;;\n  esac\n";
  if (!places.empty()) out += "  case $command:$cur in\n" + places + "  esac\n";
  out += "  case $cur in\n";
  out += fmt::format("    -*) _gpusight_words \"$options {}\" ;;\n", Names(*surface.global));
  out += "    *) _gpusight_words \"$words\" ;;\n  esac\n}\ncomplete -F _gpusight gpusight\n";
  return out;
}

}  // namespace gpusight::cli
