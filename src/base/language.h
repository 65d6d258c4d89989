// SPDX-License-Identifier: Apache-2.0
// Texts in two languages. A Text is a constant with an English and a Simplified Chinese form; the
// compiler refuses one that lacks its twin or whose placeholders differ. The constants of each
// room live in src/model/text/. Next: log.h.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace gpusight {

enum class Language { kEnglish, kChinese };

struct Text {
  std::string_view english;
  std::string_view chinese;

  // Both forms must be there and hold the same number of {placeholders}; name or number them when
  // the two languages need another order.
  consteval Text(std::string_view en, std::string_view zh) : english(en), chinese(zh) {
    if (en.empty() || zh.empty()) throw "a text lacks one of its two languages";
    if (Placeholders(en) != Placeholders(zh)) throw "the two languages differ in placeholders";
  }

  constexpr std::string_view In(Language language) const {
    return language == Language::kChinese ? chinese : english;
  }

 private:
  static constexpr int Placeholders(std::string_view text) {
    int count = 0;
    for (const char c : text) count += c == '{' ? 1 : 0;
    return count;
  }
};

// The text in that language with its placeholders filled.
template <typename... Args>
[[nodiscard]] std::string Say(Language language, const Text& text, const Args&... args) {
  if constexpr (sizeof...(args) == 0) {
    return std::string(text.In(language));
  } else {
    return fmt::format(fmt::runtime(text.In(language)), args...);
  }
}

// A text about a number of things: "1 line", "2 lines". The number is its first placeholder.
struct CountedText {
  Text one, many;
};

template <typename Count, typename... Args>
[[nodiscard]] std::string SayCount(Language language, const CountedText& text, Count count,
                                   const Args&... args) {
  return Say(language, count == 1 ? text.one : text.many, count, args...);
}

// The text with its full stop, unless it has one or asks something.
[[nodiscard]] inline std::string Sentence(Language language, std::string_view text) {
  std::string out(text);
  for (const std::string_view end : {".", "?", "。", "？", "！"}) {
    if (text.empty() || text.ends_with(end)) return out;
  }
  out += language == Language::kChinese ? "。" : ".";
  return out;
}

// What --lang (or, when that is empty, LC_ALL, LC_MESSAGES or LANG) asks for: anything that begins
// with "zh" is Chinese, everything else English.
[[nodiscard]] inline Language LanguageOf(std::string_view locale) {
  return locale.starts_with("zh") ? Language::kChinese : Language::kEnglish;
}

}  // namespace gpusight
