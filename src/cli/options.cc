// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "cli/nearest.h"
#include "model/text/cli.h"

namespace gpusight::cli {
namespace {

tl::unexpected<Error> BadValue(Language language, std::string_view name, std::string_view value,
                               std::string remedy) {
  return Fail(ErrorCode::kUsage, Say(language, text::kBadValue, Printable(value), name),
              std::move(remedy));
}

// "a, b or c" is left to the text around it: a plain comma list reads the same in both languages.
std::string Join(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

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

Option& Options::Add(Option option) {
  all_.push_back(std::move(option));
  return all_.back();
}

Option& Options::Switch(std::string_view names, const Text& help, bool& target) {
  return Add({.names = names,
              .value = "",
              .help = help,
              .set = [&target, names](std::string_view value, Language language) -> Result<void> {
                if (value.empty() || value == "true") {
                  target = true;
                } else if (value == "false") {
                  target = false;
                } else {
                  return BadValue(language, names.substr(names.find("--")), value,
                                  Say(language, text::kUseOneOf, "true, false"));
                }
                return {};
              }});
}

Option& Options::String(std::string_view names, std::string_view value, const Text& help,
                        std::string& target) {
  return Add({.names = names,
              .value = value,
              .help = help,
              .set = [&target](std::string_view given, Language) -> Result<void> {
                target = given;
                return {};
              }});
}

Option& Options::File(std::string_view names, std::string_view value, const Text& help,
                      std::string& target) {
  Option& option = String(names, value, help, target);
  option.offer = Offer::kFile;
  return option;
}

Option& Options::Choice(std::string_view names, std::vector<std::string_view> words,
                        const Text& help, std::string& target) {
  Option& option = Add({.names = names,
                        .value = "WORD",
                        .help = help,
                        .set = {},
                        .offer = Offer::kWords,
                        .words = std::move(words)});
  option.set = [&target, &option](std::string_view given, Language language) -> Result<void> {
    if (std::find(option.words.begin(), option.words.end(), given) == option.words.end()) {
      const auto near = Nearest(given, option.words);
      return BadValue(language, option.long_name(), given,
                      near ? Say(language, text::kDidYouMean, *near)
                           : Say(language, text::kUseOneOf, Join(option.words)));
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
  return Add({.names = names,
              .value = value,
              .help = help,
              .set = [&target](std::string_view given, Language) -> Result<void> {
                target.clear();
                for (const std::string_view part : Split(given, ',')) {
                  if (const auto word = Trim(part); !word.empty()) target.emplace_back(word);
                }
                return {};
              },
              .list = true});
}

Option& Options::Duration(std::string_view names, const Text& help, double& seconds, double least) {
  const std::string_view name = names.substr(names.find("--"));
  return Add(
      {.names = names,
       .value = "TIME",
       .help = help,
       .set = [&seconds, name, least](std::string_view given, Language language) -> Result<void> {
         if (least == 0 && given == "0") {
           seconds = 0;
           return {};
         }
         const auto parsed = ParseDuration(given);
         if (!parsed) {
           return BadValue(language, name, given, Say(language, text::kUseDuration));
         }
         if (*parsed < least) {
           return BadValue(language, name, given,
                           Say(language, text::kUseAtLeast, FormatDuration(least)));
         }
         seconds = *parsed;
         return {};
       }});
}

Option& Options::Bytes(std::string_view names, const Text& help, uint64_t& bytes, uint64_t least) {
  const std::string_view name = names.substr(names.find("--"));
  return Add(
      {.names = names,
       .value = "SIZE",
       .help = help,
       .set = [&bytes, name, least](std::string_view given, Language language) -> Result<void> {
         const auto parsed = ParseBytes(given);
         if (!parsed) {
           return BadValue(language, name, given, Say(language, text::kUseBytes));
         }
         if (*parsed < least) {
           return BadValue(
               language, name, given,
               Say(language, text::kUseAtLeast, FormatBytes(static_cast<double>(least))));
         }
         bytes = *parsed;
         return {};
       }});
}

Option& Options::Number(std::string_view names, const Text& help, uint64_t& target, uint64_t least,
                        uint64_t most) {
  const std::string_view name = names.substr(names.find("--"));
  return Add({.names = names,
              .value = "N",
              .help = help,
              .set = [&target, name, least, most](std::string_view given,
                                                  Language language) -> Result<void> {
                const auto parsed = ParseNumber<uint64_t>(given);
                if (!parsed || *parsed < least || *parsed > most) {
                  return BadValue(language, name, given,
                                  Say(language, text::kUseNumber, least, most));
                }
                target = *parsed;
                return {};
              }});
}

const Option* Options::Find(std::string_view name) const {
  for (const Option& option : all_) {
    if (option.key() == name) return &option;
    for (const std::string_view own : Split(option.names, ',')) {
      if (own == name) return &option;
    }
  }
  return nullptr;
}

}  // namespace gpusight::cli
