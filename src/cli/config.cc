// SPDX-License-Identifier: Apache-2.0
#include "cli/config.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/core.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "cli/config_guard.h"
#include "export/number.h"
#include "model/text/config.h"

namespace gpusight::cli {
namespace {

// The lines that the parser was given; they tell places in the file from places in these.
class Lines {
 public:
  explicit Lines(std::string_view ascii) {
    while (const auto line = NextLine(ascii)) lines_.push_back(*line);
  }
  Position InFile(const toml::source_region& source) const {
    const size_t line = source.begin.line, column = source.begin.column;
    if (line == 0 || line > lines_.size() || column == 0) return {line, column};
    const std::string_view before = lines_[line - 1].substr(0, column - 1);
    // The place of an end of line is behind the line.
    return {line, OfAscii(before).size() + column - before.size()};
  }

 private:
  std::vector<std::string_view> lines_;
};

// The value as text, or nullopt for dates, tables and arrays.
std::optional<std::string> TextOf(const toml::node& node) {
  if (const auto* text = node.as_string()) return OfAscii(**text);
  if (const auto* number = node.as_integer()) return fmt::format("{}", **number);
  if (const auto* truth = node.as_boolean()) return **truth ? "true" : "false";
  const auto* number = node.as_floating_point();
  if (number == nullptr) return std::nullopt;
  // No option takes these, and the complaint repeats them.
  if (!std::isfinite(**number)) return fmt::format("{}", **number);
  std::string out;
  exporting::AppendNumber(out, **number);
  return out;
}

// Collects the settings of a document and remembers the first value of a sort that no option takes.
class Collector {
 public:
  explicit Collector(const Lines& lines) : lines_(lines) {}

  void Add(std::string section, const toml::key& key, const toml::node& node) {
    Setting setting;
    setting.section = std::move(section);
    setting.key = OfAscii(key.str());
    setting.key_at = lines_.InFile(key.source());
    setting.at = lines_.InFile(node.source());
    if (const auto* array = node.as_array()) {
      for (const toml::node& item : *array) AddItem(setting, item);
    } else {
      AddItem(setting, node);
    }
    settings_.push_back(std::move(setting));
  }

  // An empty section is checked for its name, too.
  void AddEmpty(const toml::key& section) {
    Setting setting;
    setting.section = OfAscii(section.str());
    setting.key_at = setting.at = lines_.InFile(section.source());
    settings_.push_back(std::move(setting));
  }

  const std::optional<Position>& wrong() const { return wrong_; }

  std::vector<Setting> Take() {
    std::stable_sort(settings_.begin(), settings_.end(),
                     [](const Setting& a, const Setting& b) { return Before(a.key_at, b.key_at); });
    return std::move(settings_);
  }

 private:
  static bool Before(const Position& a, const Position& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  }

  void AddItem(Setting& setting, const toml::node& node) {
    const Position at = lines_.InFile(node.source());
    if (auto text = TextOf(node)) {
      setting.items.push_back({std::move(*text), at});
    } else if (!wrong_ || Before(at, *wrong_)) {
      wrong_ = at;
    }
  }

  const Lines& lines_;
  std::vector<Setting> settings_;
  std::optional<Position> wrong_;
};

}  // namespace

std::string PlaceInFile(std::string_view path, const Position& position) {
  return fmt::format("{}:{}:{}: ", Printable(path), position.line, position.column);
}

std::string Setting::value() const {
  std::string out;
  for (const Item& item : items) {
    if (&item != &items.front()) out += ',';
    out += item.text;
  }
  return out;
}

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
    return Fail(ErrorCode::kBadInput, PlaceInFile(name, unfit->at) + Say(language, unfit->what),
                Say(language, text::kConfigSyntax));
  }
  const std::string ascii = AsciiOf(text);
  const Lines lines(ascii);
  const toml::parse_result parsed = toml::parse(ascii);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Fail(ErrorCode::kBadInput,
                PlaceInFile(name, lines.InFile(error.source())) +
                    Say(language, text::kConfigNotToml, Printable(OfAscii(error.description()))),
                Say(language, text::kConfigSyntax));
  }
  Collector collector(lines);
  for (const auto& [key, node] : parsed.table()) {
    const auto* section = node.as_table();
    if (section == nullptr) {
      collector.Add("", key, node);
      continue;
    }
    for (const auto& [inner, value] : *section) collector.Add(OfAscii(key.str()), inner, value);
    if (section->empty()) collector.AddEmpty(key);
  }
  if (collector.wrong()) {
    return Fail(ErrorCode::kBadInput,
                PlaceInFile(name, *collector.wrong()) + Say(language, text::kConfigWrongSort),
                Say(language, text::kConfigSorts));
  }
  return collector.Take();
}

}  // namespace gpusight::cli
