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
#include "export/number.h"
#include "model/text/config.h"

namespace gpusight::cli {
namespace {

constexpr int kMostDots = 100;

std::string At(std::string_view name, toml::source_position where, std::string_view what) {
  return fmt::format("{}:{}:{}: {}", name, where.line, where.column, what);
}

// The parser recurses once for each part of a dotted key and would run out of stack; no key of ours
// has more than one dot, and no path is this deep. The number of the first such line, or 0.
uint32_t TooDeepLine(std::string_view text) {
  uint32_t number = 0;
  while (const auto line = NextLine(text)) {
    ++number;
    if (std::count(line->begin(), line->end(), '.') > kMostDots) return number;
  }
  return 0;
}

// The value as text, or nullopt for dates and tables, which no option takes.
std::optional<std::string> TextOf(const toml::node& node) {
  if (const auto* text = node.as_string()) return **text;
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
  if (const uint32_t line = TooDeepLine(text); line != 0) {
    return Fail(ErrorCode::kBadInput,
                At(Printable(name), {line, 1}, Say(language, text::kConfigTooDeep, kMostDots)),
                Say(language, text::kConfigSyntax));
  }
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Fail(ErrorCode::kBadInput,
                At(Printable(name), error.source().begin, Printable(error.description())),
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
    settings.push_back({std::move(section), std::string(key.str()), *value, key.source().begin.line,
                        key.source().begin.column});
  };
  for (const auto& [key, node] : parsed.table()) {
    if (const auto* section = node.as_table()) {
      for (const auto& [inner, value] : *section) add(std::string(key.str()), inner, value);
      // An empty section is checked for its name, too.
      if (section->empty()) {
        settings.push_back(
            {std::string(key.str()), "", "", key.source().begin.line, key.source().begin.column});
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
