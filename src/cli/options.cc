// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "base/units.h"
#include "cli/nearest.h"
#include "model/text/cli.h"

namespace gpusight::cli {
namespace {

// Nobody waits longer, and no sum of such times overflows.
constexpr double kMostDays = 366;
constexpr std::string_view kBooleans[] = {"true", "false"};

tl::unexpected<Error> BadValue(Language language, const Option& option, std::string_view value,
                               std::string remedy) {
  return Fail(ErrorCode::kUsage,
              Say(language, text::kBadValue, Printable(value), option.long_name()),
              std::move(remedy));
}

// "a, b, c"; "a or b" is left to the text around it.
std::string Join(std::span<const std::string_view> words, Language language) {
  return fmt::format("{}", fmt::join(words, Say(language, text::kBetweenWords)));
}

}  // namespace

Result<void> Option::Take(std::string_view given, Language language) const {
  // Nobody means an empty value; it is a variable of a script that was not set.
  if (given.empty() && !is_switch()) return Empty(language);
  return set(given, language);
}

tl::unexpected<Error> Option::Empty(Language language) const {
  return Fail(ErrorCode::kUsage, Say(language, text::kEmptyValue, long_name()),
              Say(language, text::kEmptyValueRemedy));
}

std::string_view Option::long_name() const {
  const size_t at = names.find("--");
  return at == std::string_view::npos ? names : names.substr(at);
}

std::string Option::value_name() const {
  constexpr size_t kFew = 26;  // characters that help has room for
  std::string joined = fmt::format("{}", fmt::join(words, "|"));
  if (value.empty() || words.empty() || joined.size() > kFew) return std::string(value);
  return joined;
}

std::string_view Option::key() const {
  std::string_view name = long_name();
  while (name.starts_with('-')) name.remove_prefix(1);
  return name;
}

Option& Options::Add(std::string_view names, std::string_view value, const Text& help) {
  return all_.emplace_back(names, value, help);
}

Option& Options::Switch(std::string_view names, const Text& help, bool& target) {
  Option& option = Add(names, "", help);
  option.set = [&target, &option](std::string_view given, Language language) -> Result<void> {
    if (!given.empty() && given != "true" && given != "false") {
      return BadValue(language, option, given,
                      Say(language, text::kUseOneOf, Join(kBooleans, language)));
    }
    target = given != "false";
    return {};
  };
  return option;
}

Option& Options::String(std::string_view names, std::string_view value, const Text& help,
                        std::string& target) {
  Option& option = Add(names, value, help);
  option.set = [&target](std::string_view given, Language) -> Result<void> {
    target = given;
    return {};
  };
  return option;
}

Option& Options::File(std::string_view names, std::string_view value, const Text& help,
                      std::string& target) {
  Option& option = String(names, value, help, target);
  option.offer = Offer::kFile;
  return option;
}

Option& Options::Choice(std::string_view names, std::vector<std::string_view> words,
                        const Text& help, std::string& target) {
  Option& option = Add(names, "WORD", help);
  option.offer = Offer::kWords;
  option.words = std::move(words);
  option.set = [&target, &option](std::string_view given, Language language) -> Result<void> {
    if (std::find(option.words.begin(), option.words.end(), given) == option.words.end()) {
      const auto near = Nearest(given, option.words);
      return BadValue(language, option, given,
                      near ? Say(language, text::kDidYouMean, *near)
                           : Say(language, text::kUseOneOf, Join(option.words, language)));
    }
    target = given;
    return {};
  };
  return option;
}

Option& Options::Word(std::string_view name, std::vector<std::string_view> words, const Text& help,
                      std::string& target) {
  Option& option = Choice(name, std::move(words), help, target);
  option.value = "";
  option.in_config = false;
  return option;
}

Option& Options::List(std::string_view names, std::string_view value, const Text& help,
                      std::vector<std::string>& target) {
  Option& option = Add(names, value, help);
  option.list = true;
  option.set = [&target, &option](std::string_view given, Language language) -> Result<void> {
    std::vector<std::string> words;
    for (const std::string_view part : Split(given, ',')) {
      const auto word = Trim(part);
      if (word.empty()) return BadValue(language, option, given, Say(language, text::kUseCommas));
      if (option.check) {
        if (auto fits = option.check(word, language); !fits) return fits;
      }
      words.emplace_back(word);
    }
    target = std::move(words);
    return {};
  };
  return option;
}

Option& Options::Duration(std::string_view names, const Text& help, double& seconds, double least) {
  Option& option = Add(names, "TIME", help);
  option.set = [&seconds, &option, least](std::string_view given,
                                          Language language) -> Result<void> {
    const bool zero = least == 0 && given == "0";
    const auto parsed = zero ? std::optional(0.0) : ParseDuration(given);
    if (!parsed) return BadValue(language, option, given, Say(language, text::kUseDuration));
    if (*parsed < least) {
      return BadValue(language, option, given,
                      Say(language, text::kUseAtLeast, FormatDuration(least)));
    }
    if (*parsed > kMostDays * 86400) {
      return BadValue(language, option, given,
                      Say(language, text::kUseAtMost, fmt::format("{:.0f}d", kMostDays)));
    }
    seconds = *parsed;
    return {};
  };
  return option;
}

Option& Options::Bytes(std::string_view names, const Text& help, uint64_t& bytes, uint64_t least) {
  Option& option = Add(names, "SIZE", help);
  option.set = [&bytes, &option, least](std::string_view given, Language language) -> Result<void> {
    const auto parsed = ParseBytes(given);
    if (!parsed) return BadValue(language, option, given, Say(language, text::kUseBytes));
    if (*parsed < least) {
      return BadValue(language, option, given,
                      Say(language, text::kUseAtLeast, FormatBytes(static_cast<double>(least))));
    }
    bytes = *parsed;
    return {};
  };
  return option;
}

Option& Options::Number(std::string_view names, const Text& help, uint64_t& target, uint64_t least,
                        uint64_t most) {
  Option& option = Add(names, "N", help);
  option.set = [&target, &option, least, most](std::string_view given,
                                               Language language) -> Result<void> {
    const auto parsed = ParseNumber<uint64_t>(given);
    if (!parsed || *parsed < least || *parsed > most) {
      return BadValue(language, option, given, Say(language, text::kUseNumber, least, most));
    }
    target = *parsed;
    return {};
  };
  return option;
}

Option& Options::Rest(std::string_view name, const Text& help, std::vector<std::string>& target) {
  Option& option = Add(name, "", help);
  option.offer = Offer::kProgram;
  option.in_config = false;
  option.rest = &target;
  return option;
}

const Option* Options::rest() const {
  for (const Option& option : all_) {
    if (option.rest != nullptr) return &option;
  }
  return nullptr;
}

const Option* Options::Find(std::string_view name) const {
  for (const Option& option : all_) {
    if (option.key() == name) return &option;
  }
  return Named(name);
}

const Option* Options::Named(std::string_view name) const {
  for (const Option& option : all_) {
    if (option.is_positional()) continue;
    for (const std::string_view own : Split(option.names, ',')) {
      if (own == name) return &option;
    }
  }
  return nullptr;
}

}  // namespace gpusight::cli
