// SPDX-License-Identifier: Apache-2.0
#include "cli/config.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/core.h>

#include <toml++/toml.h>
#include <algorithm>
#include <optional>

#include "base/text.h"
#include "cli/config_guard.h"
#include "export/number.h"
#include "model/text/config.h"

namespace gpusight::cli {
namespace {

std::string At(std::string_view name, toml::source_position where, std::string_view what) {
  return fmt::format("{}:{}:{}: {}", name, where.line, where.column, what);
}

// The value as text, or nullopt for dates and tables, which no option takes.
std::optional<std::string> TextOf(const toml::node& node) {
  if (const auto* text = node.as_string()) return OfAscii(**text);
  if (const auto* number = node.as_integer()) return fmt::format("{}", **number);
  if (const auto* truth = node.as_boolean()) return **truth ? "true" : "false";
  if (const auto* number = node.as_floating_point()) {
    std::string out;
    exporting::AppendNumber(out, **number);
    return out;
  }
  const auto* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::string out;
  for (const toml::node& item : *array) {
    const auto text = item.is_array() ? std::nullopt : TextOf(item);
    if (!text) return std::nullopt;
    if (!out.empty()) out += ',';
    out += *text;
  }
  return out;
}

}  // namespace

Result<std::vector<Setting>> ParseConfig(std::string_view text, std::string_view name,
                                         Language language) {
  if (text.size() > kLargestConfig) {
    return Fail(ErrorCode::kBadInput,
                Say(language, text::kConfigTooLarge, Printable(name), kLargestConfig / 1024),
                Say(language, text::kConfigTooLargeRemedy));
  }
  // A byte order mark; the parser skips it, and lines are looked at here before.
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const auto unfit = FirstUnfit(text)) {
    return Fail(ErrorCode::kBadInput,
                At(Printable(name), {unfit->line, unfit->column}, Say(language, unfit->what)),
                Say(language, text::kConfigSyntax));
  }
  const toml::parse_result parsed = toml::parse(AsciiOf(text));
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Fail(ErrorCode::kBadInput,
                At(Printable(name), error.source().begin, Printable(OfAscii(error.description()))),
                Say(language, text::kConfigSyntax));
  }
  std::vector<Setting> settings;
  // Where a value of the wrong sort stands, if there is one.
  std::optional<toml::source_position> wrong;
  const auto add = [&](std::string section, const toml::key& key, const toml::node& node) {
    const auto value = TextOf(node);
    if (!value) {
      if (!wrong) wrong = node.source().begin;
      return;
    }
    settings.push_back({std::move(section), OfAscii(key.str()), *value, key.source().begin.line,
                        key.source().begin.column});
  };
  for (const auto& [key, node] : parsed.table()) {
    if (const auto* section = node.as_table()) {
      for (const auto& [inner, value] : *section) add(OfAscii(key.str()), inner, value);
      // An empty section is checked for its name, too.
      if (section->empty()) {
        settings.push_back(
            {OfAscii(key.str()), "", "", key.source().begin.line, key.source().begin.column});
      }
    } else {
      add("", key, node);
    }
  }
  if (wrong) {
    return Fail(ErrorCode::kBadInput,
                At(Printable(name), *wrong, Say(language, text::kConfigWrongSort)),
                Say(language, text::kConfigSorts));
  }
  std::stable_sort(settings.begin(), settings.end(), [](const Setting& a, const Setting& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  return settings;
}

}  // namespace gpusight::cli
