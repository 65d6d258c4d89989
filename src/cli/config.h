// SPDX-License-Identifier: Apache-2.0
// The text of a configuration file as a flat list of settings. Pure; the only place that knows
// toml++ (slow to compile). What the settings mean is settings.h's business. Next: settings.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/language.h"
#include "base/result.h"

namespace gpusight::cli {

inline constexpr size_t kLargestConfig = size_t{1} << 18;  // bytes; a real one has a few hundred

struct Position {
  size_t line = 0, column = 0;
};

// "config.toml:3:11: ".
[[nodiscard]] std::string PlaceInFile(std::string_view path, const Position& position);

struct Setting {
  struct Item {
    std::string text;  // as it would be written on the command line
    Position at;
  };
  std::string section;      // "log", or "" for the top level
  std::string key;          // "interval"; "" for an empty section
  Position key_at, at;      // of the key and of the value
  std::vector<Item> items;  // of an array; else the value alone

  // As it would be written on the command line: the items joined by ','.
  [[nodiscard]] std::string value() const;
};

// In the file's order. Errors (kBadInput) begin with "name:line:column: ".
[[nodiscard]] Result<std::vector<Setting>> ParseConfig(std::string_view text, std::string_view name,
                                                       Language language);

}  // namespace gpusight::cli
