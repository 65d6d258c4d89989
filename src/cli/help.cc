// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/wrap.h"
#include "model/text/cli.h"

namespace gpusight::cli {
namespace {

constexpr int kMost = 80, kLeast = 40;  // columns; longer lines are hard to read
constexpr int kBeside = 64;             // from here on there is room beside the options

std::string Wrap(std::string_view text, int columns, int indent) {
  return exporting::Wrap(text, std::clamp(columns, kLeast, kMost), indent);
}

std::string Usage(const Option& option) {
  std::string out;
  for (const std::string_view name : Split(option.names, ',')) {
    out += out.empty() ? "" : ", ";
    out += name;
  }
  if (option.names.starts_with("--")) out.insert(0, "    ");
  if (!option.value.empty()) {
    out += ' ';
    out += option.value_name();
  }
  return out;
}

struct Item {
  std::string left, right;
};

void List(std::string& out, const std::vector<Item>& items, int columns) {
  int width = 0;
  for (const Item& item : items) width = std::max(width, DisplayWidth(item.left));
  width = std::min(width, columns < kBeside ? 8 : 28);
  for (const Item& item : items) {
    const int own = DisplayWidth(item.left);
    out += "  " + Pad(item.left, width) + "  ";
    if (own > width) {
      out.resize(out.find_last_not_of(' ') + 1);
      out += "\n" + std::string(static_cast<size_t>(width) + 4, ' ');
    }
    out += Wrap(item.right, columns, width + 4) + "\n";
  }
}

void ListOptions(std::string& out, const Options& options, const Text& title, Language language,
                 int columns) {
  std::vector<Item> items;
  for (const Option& option : options.all()) {
    items.push_back({Usage(option), HelpOf(option, language)});
  }
  if (items.empty()) return;
  out += "\n" + Say(language, text::kHelpHeading, Say(language, title)) + "\n";
  List(out, items, columns);
}

}  // namespace

std::string ProgramHelp(const std::vector<std::unique_ptr<Command>>& commands,
                        const Options& global, Language language, int columns) {
  std::string out =
      Wrap(Say(language, text::kHelpWords, "gpusight", Say(language, text::kProgramSummary)),
           columns, 0) +
      "\n\n";
  out += Wrap(Say(language, text::kHelpUsage, Say(language, text::kHelpSynopsis)), columns, 2) +
         "\n\n";
  out += Say(language, text::kHelpHeading, Say(language, text::kHelpCommands)) + "\n";
  std::vector<Item> items;
  for (const auto& command : commands) {
    if (command->hidden()) continue;
    items.push_back({std::string(command->name()), Say(language, command->summary())});
  }
  List(out, items, columns);
  out += "\n" + Wrap(Say(language, text::kHelpDefault), columns, 0) + "\n";
  out += Wrap(Say(language, text::kHelpMore), columns, 0) + "\n";
  ListOptions(out, global, text::kHelpGlobal, language, columns);
  return out;
}

std::string HelpOf(const Option& option, Language language) {
  const std::string help = Say(language, option.help);
  if (option.words.empty() || option.is_positional()) return help;
  // The words that had no room beside the name.
  if (option.value_name() != option.value) return help;
  return Say(language, text::kHelpWords, help,
             fmt::format("{}", fmt::join(option.words, Say(language, text::kBetweenWords))));
}

std::vector<std::string> ValueNotes(const Options& options, Language language) {
  std::vector<std::string> notes;
  for (const auto& [value, note] :
       {std::pair("TIME", &text::kHelpTime), {"SIZE", &text::kHelpSize}}) {
    const bool used = std::any_of(options.all().begin(), options.all().end(),
                                  [&](const Option& o) { return o.value == value; });
    if (used) notes.push_back(Say(language, *note));
  }
  return notes;
}

std::string Synopsis(const Command& command, const Options& own, Language language) {
  std::string out = fmt::format("gpusight {}", command.name());
  for (const Option& option : own.all()) {
    if (option.is_positional()) out += fmt::format(" {}", option.names);
  }
  return out + " " + Say(language, text::kHelpSynopsisOptions);
}

std::string CommandHelp(const Command& command, const Options& own, const Options& global,
                        Language language, int columns) {
  std::string out = Wrap(Say(language, text::kHelpWords, fmt::format("gpusight {}", command.name()),
                             Say(language, command.summary())),
                         columns, 0) +
                    "\n\n";
  out +=
      Wrap(Say(language, text::kHelpUsage, Synopsis(command, own, language)), columns, 2) + "\n\n";
  out += Wrap(Say(language, command.description()), columns, 0) + "\n";
  ListOptions(out, own, text::kHelpOptions, language, columns);
  const auto notes = ValueNotes(own, language);
  if (!notes.empty()) out += '\n';
  for (const std::string& note : notes) out += Wrap(note, columns, 0) + "\n";
  ListOptions(out, global, text::kHelpGlobal, language, columns);
  return out;
}

}  // namespace gpusight::cli
