// SPDX-License-Identifier: Apache-2.0
#include "cli/generate/man.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/help.h"
#include "cli/version.h"
#include "model/text/cli.h"
#include "model/text/man.h"

namespace gpusight::cli {
namespace {

// Text that troff prints as it is: dashes stay dashes, and no line begins with a command.
std::string Roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
      out += c;
    }
  }
  return out;
}

void Section(std::string& out, const Text& title, Language language) {
  out += fmt::format(".SH {}\n", Roff(Say(language, title)));
}

void OptionList(std::string& out, const Options& options, Language language) {
  for (const Option& option : options.all()) {
    std::string names;
    for (const std::string_view name : Split(option.names, ',')) {
      names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", Roff(name));
    }
    if (!option.value.empty()) names += fmt::format(" \\fI{}\\fR", Roff(option.value_name()));
    out += fmt::format(".TP\n{}\n{}\n", names, Roff(Sentence(language, HelpOf(option, language))));
  }
  for (const std::string& note : ValueNotes(options, language)) {
    out += fmt::format(".PP\n{}\n", Roff(note));
  }
}

void ExitCodeList(std::string& out, Language language) {
  Section(out, text::kManExitStatus, language);
  for (const ExitCodeRow& row : ExitCodes()) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", static_cast<int>(row.code),
                       Roff(Say(language, row.meaning)));
  }
}

void Tail(std::string& out, const Surface& surface, std::string_view self, Language language) {
  ExitCodeList(out, language);
  Section(out, text::kManFiles, language);
  out += fmt::format(".TP\n\\fI~/.config/gpusight/config.toml\\fR\n{}\n",
                     Roff(Say(language, text::kManConfig)));
  Section(out, text::kManSeeAlso, language);
  std::string others;
  const auto add = [&](const std::string& page) {
    if (page == self) return;
    others += fmt::format("{}\\fB{}\\fR(1)", others.empty() ? "" : ",\n", Roff(page));
  };
  add("gpusight");
  for (const SurfaceCommand& c : surface.commands) {
    if (!c.command->hidden()) add(fmt::format("gpusight-{}", c.command->name()));
  }
  out += others + '\n';
}

std::string Head(std::string_view page, std::string_view summary, Language language) {
  std::string title(page);
  for (char& c : title) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  std::string out = fmt::format(".TH {} 1 \"\" \"gpusight {}\" \"{}\"\n", Roff(title), kVersion,
                                Roff(Say(language, text::kManHeader)));
  Section(out, text::kManName, language);
  return out + fmt::format("{} \\- {}\n", Roff(page), Roff(summary));
}

}  // namespace

std::string ProgramMan(const Surface& surface, Language language) {
  std::string out = Head("gpusight", Say(language, text::kProgramSummary), language);
  Section(out, text::kManSynopsis, language);
  out += Roff(Say(language, text::kHelpSynopsis)) + '\n';
  Section(out, text::kManDescription, language);
  out += Roff(Say(language, text::kHelpDefault)) + '\n';
  Section(out, text::kManCommands, language);
  for (const SurfaceCommand& c : surface.commands) {
    if (c.command->hidden()) continue;
    out += fmt::format(".TP\n\\fBgpusight\\-{}\\fR(1)\n{}\n", Roff(c.command->name()),
                       Roff(Sentence(language, Say(language, c.command->summary()))));
  }
  Section(out, text::kManOptions, language);
  OptionList(out, *surface.global, language);
  Tail(out, surface, "gpusight", language);
  return out;
}

std::string CommandMan(const Surface& surface, const SurfaceCommand& command, Language language) {
  const std::string page = fmt::format("gpusight-{}", command.command->name());
  std::string out = Head(page, Say(language, command.command->summary()), language);
  Section(out, text::kManSynopsis, language);
  out += Roff(Synopsis(*command.command, *command.options, language)) + '\n';
  Section(out, text::kManDescription, language);
  out += Roff(Say(language, command.command->description())) + '\n';
  if (!command.options->all().empty()) {
    Section(out, text::kManOptions, language);
    OptionList(out, *command.options, language);
  }
  Section(out, text::kManGlobal, language);
  OptionList(out, *surface.global, language);
  Tail(out, surface, page, language);
  return out;
}

}  // namespace gpusight::cli
