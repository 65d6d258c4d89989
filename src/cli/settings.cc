// SPDX-License-Identifier: Apache-2.0
#include "cli/settings.h"

#include <algorithm>

#include "base/text.h"
#include "cli/nearest.h"
#include "cli/reason.h"
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
                PlaceInFile(path, setting.key_at) + Say(language, what, Printable(word)),
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

// Gives the option the setting's value. Each item of an array is tried first, so that a mistake is
// told with the place of that item.
Result<void> Give(const Option& option, const Setting& setting, const std::string& path,
                  Language language) {
  const auto give = [&](std::string_view value, const Position& at) -> Result<void> {
    auto taken = option.Take(value, language);
    if (taken) return taken;
    Error error = std::move(taken.error());
    error.code = ErrorCode::kBadInput;
    error.what.insert(0, PlaceInFile(path, at));
    return tl::unexpected(std::move(error));
  };
  for (const Setting::Item& item : setting.items) {
    if (auto taken = give(item.text, item.at); !taken) return taken;
  }
  return setting.items.size() == 1 ? Result<void>() : give(setting.value(), setting.at);
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
  const auto text = named ? ReadInput(path, kLargestConfig) : ReadFile(path, kLargestConfig);
  if (text) return ParseConfig(*text, path, language);
  if (text.error().code == ErrorCode::kNotFound && !named) return std::vector<Setting>();
  if (text.error().code == ErrorCode::kBadInput) {
    return Fail(ErrorCode::kBadInput,
                Say(language, text::kConfigTooLarge, Printable(path), kLargestConfig / 1024),
                Say(language, text::kConfigTooLargeRemedy));
  }
  return Fail(named ? ErrorCode::kBadInput : ErrorCode::kIo,
              Say(language, text::kConfigUnreadable, Reason(text.error(), language)),
              Say(language, text::kConfigUnreadableRemedy));
}

Result<void> ApplyConfig(std::span<const Setting> settings, const std::string& path,
                         const Options& global, const std::vector<Grammar>& commands, int command,
                         Language language, Origins& origins) {
  const std::string_view section =
      command < 0 ? std::string_view() : commands[static_cast<size_t>(command)].name;
  for (const Setting& setting : settings) {
    const auto option = FindOption(setting, path, global, commands, language);
    if (!option) return tl::unexpected(option.error());
    if (*option == nullptr || setting.section != section) continue;
    if (auto given = Give(**option, setting, path, language); !given) return given;
    origins.Remember(**option, setting, path);
  }
  return {};
}

}  // namespace gpusight::cli
