// SPDX-License-Identifier: Apache-2.0
#include "cli/settings.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "cli/nearest.h"
#include "model/text/cli.h"
#include "model/text/config.h"

namespace gpusight::cli {
namespace {

// The value's option, or the error that names the place.
Result<const Option*> FindOption(const Setting& setting, const std::string& path,
                                 const Options& global, const std::vector<Grammar>& commands,
                                 Language language) {
  const auto fail = [&](const Text& what, const std::string& word,
                        std::span<const std::string_view> candidates, const Text& remedy) {
    const auto near = Nearest(word, candidates);
    return Fail(ErrorCode::kBadInput,
                fmt::format("{}:{}:{}: {}", Printable(path), setting.line, setting.column,
                            Say(language, what, Printable(word))),
                near ? Say(language, text::kDidYouMean, *near) : Say(language, remedy));
  };
  const Options* options = &global;
  if (!setting.section.empty()) {
    const auto at = std::find_if(commands.begin(), commands.end(), [&](const Grammar& g) {
      return g.name == setting.section && !g.name.starts_with('_');
    });
    if (at == commands.end()) {
      std::vector<std::string_view> names;
      for (const Grammar& g : commands) names.push_back(g.name);
      return fail(text::kConfigUnknownSection, setting.section, names, text::kConfigSections);
    }
    options = at->options;
  }
  if (setting.key.empty()) return nullptr;
  std::vector<std::string_view> keys;
  for (const Option& option : options->all()) {
    if (!option.in_config) continue;
    if (option.key() == setting.key) return &option;
    keys.push_back(option.key());
  }
  return fail(text::kConfigUnknownKey, setting.key, keys, text::kConfigKeys);
}

}  // namespace

std::string ConfigPath(const std::string& named, const Environment& env) {
  if (!named.empty()) return named;
  const auto variable = [&env](const char* name) {
    const char* value = env(name);
    return std::string(value == nullptr ? "" : value);
  };
  // The XDG specification wants relative paths ignored.
  if (const std::string folder = variable("XDG_CONFIG_HOME"); folder.starts_with('/')) {
    return folder + "/gpusight/config.toml";
  }
  const std::string home = variable("HOME");
  return home.empty() ? "" : home + "/.config/gpusight/config.toml";
}

Result<std::vector<Setting>> ReadConfig(const std::string& path, bool named, Language language) {
  if (path.empty()) return std::vector<Setting>();
  const auto text = ReadFile(path, kLargestConfig);
  if (text) return ParseConfig(*text, path, language);
  if (text.error().code == ErrorCode::kNotFound && !named) return std::vector<Setting>();
  if (text.error().code == ErrorCode::kBadInput) {
    return Fail(ErrorCode::kBadInput,
                Say(language, text::kConfigTooLarge, Printable(path), kLargestConfig / 1024),
                Say(language, text::kConfigTooLargeRemedy));
  }
  return Fail(ErrorCode::kBadInput, Say(language, text::kConfigUnreadable, text.error().what),
              Say(language, text::kConfigUnreadableRemedy));
}

Result<void> ApplyConfig(std::span<const Setting> settings, const std::string& path,
                         const Options& global, const std::vector<Grammar>& commands, int command,
                         Language language) {
  const std::string_view section =
      command < 0 ? std::string_view() : commands[static_cast<size_t>(command)].name;
  for (const Setting& setting : settings) {
    const auto option = FindOption(setting, path, global, commands, language);
    if (!option) return tl::unexpected(option.error());
    if (*option == nullptr || setting.section != section) continue;
    if (auto set = (*option)->set(setting.value, language); !set) {
      Error error = std::move(set.error());
      error.code = ErrorCode::kBadInput;
      error.what =
          fmt::format("{}:{}:{}: {}", Printable(path), setting.line, setting.column, error.what);
      return tl::unexpected(std::move(error));
    }
  }
  return {};
}

}  // namespace gpusight::cli
