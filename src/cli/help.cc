// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "export/wrap.h"
#include "model/text/cli.h"

namespace gpusight::cli {
namespace {

constexpr int kColumns = 80;

std::string Wrap(std::string_view text, int indent) {
  return exporting::Wrap(text, kColumns, indent);
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

void List(std::string& out, const std::vector<Item>& items) {
  int width = 0;
  for (const Item& item : items) width = std::max(width, DisplayWidth(item.left));
  width = std::min(width, 28);
  for (const Item& item : items) {
    const int own = DisplayWidth(item.left);
    out += "  " + Pad(item.left, width) + "  ";
    if (own > width) out += "\n" + std::string(static_cast<size_t>(width) + 4, ' ');
    out += Wrap(item.right, width + 4) + "\n";
  }
}

void ListOptions(std::string& out, const Options& options, const Text& title, Language language) {
  std::vector<Item> items;
  for (const Option& option : options.all()) {
    items.push_back({Usage(option), Say(language, option.help)});
  }
  if (items.empty()) return;
  out += "\n" + Say(language, title) + ":\n";
  List(out, items);
}

}  // namespace

std::string ProgramHelp(const std::vector<std::unique_ptr<Command>>& commands,
                        const Options& global, Language language) {
  std::string out = "gpusight: " + Say(language, text::kProgramSummary) + "\n\n";
  out += Say(language, text::kHelpUsage) + ": gpusight [COMMAND] [OPTIONS]\n\n";
  out += Say(language, text::kHelpCommands) + ":\n";
  std::vector<Item> items;
  for (const auto& command : commands) {
    if (command->hidden()) continue;
    items.push_back({std::string(command->name()), Say(language, command->summary())});
  }
  List(out, items);
  out += "\n" + Wrap(Say(language, text::kHelpDefault), 0) + "\n";
  out += Wrap(Say(language, text::kHelpMore), 0) + "\n";
  ListOptions(out, global, text::kHelpGlobal, language);
  return out;
}

std::string Synopsis(const Command& command, const Options& own) {
  std::string out = fmt::format("gpusight {}", command.name());
  for (const Option& option : own.all()) {
    if (option.is_positional()) out += fmt::format(" {}", option.names);
  }
  return out + " [OPTIONS]";
}

std::string CommandHelp(const Command& command, const Options& own, const Options& global,
                        Language language) {
  std::string out =
      fmt::format("gpusight {}: {}\n\n", command.name(), Say(language, command.summary()));
  out +=
      fmt::format("{}: gpusight {} [OPTIONS]\n\n", Say(language, text::kHelpUsage), command.name());
  out += Wrap(Say(language, command.description()), 0) + "\n";
  ListOptions(out, own, text::kHelpOptions, language);
  ListOptions(out, global, text::kHelpGlobal, language);
  return out;
}

}  // namespace gpusight::cli
