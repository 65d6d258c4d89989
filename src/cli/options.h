// SPDX-License-Identifier: Apache-2.0
// What a command declares: its options, once. The parser (parse.h), --help, the man pages, the
// shell completions and the keys of the configuration file are all made from these declarations,
// so they cannot disagree. Next: command.h, and status.cc for an example.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/language.h"
#include "base/result.h"

namespace gpusight::cli {

// What the shell offers as the option's value.
enum class Offer : uint8_t { kNothing, kFile, kFolder, kWords, kFields, kDevices, kProgram };

struct Option {
  // Takes the value ("" for a switch; several are joined by ',' for a list).
  using Set = std::function<Result<void>(std::string_view value, Language language)>;
  // Whether one word of a list may stand in it.
  using Check = std::function<Result<void>(std::string_view word, Language language)>;

  // One without a value is a switch.
  Option(std::string_view its_names, std::string_view its_value, const Text& its_help)
      : names(its_names), value(its_value), help(its_help) {}

  std::string_view names;  // "-o,--output", or "SHELL" for a word without a dash
  std::string_view value;  // what help calls its value, "FILE"; empty for a switch
  Text help;
  Set set;      // for Take(), which callers use
  Check check;  // of a list; without one every word may
  Offer offer = Offer::kNothing;
  std::vector<std::string_view> words;  // the values, for Offer::kWords
  bool list = false;                    // may be given several times
  // Where the command line of another program goes that stands behind the options: Options::Rest().
  std::vector<std::string>* rest = nullptr;
  bool in_config = true;  // may stand in the configuration file

  // Sets the variable, or says what is wrong with the value.
  [[nodiscard]] Result<void> Take(std::string_view value, Language language) const;
  // The complaint about a value that is empty.
  [[nodiscard]] tl::unexpected<Error> Empty(Language language) const;

  bool is_positional() const { return !names.starts_with('-'); }
  bool is_switch() const { return value.empty() && !is_positional(); }
  std::string_view long_name() const;  // "--output"
  std::string value_name() const;      // "FILE", or "en|zh" when the words are few
  std::string_view key() const;        // "output", its key in the configuration file
};

// The options of one command, in the order in which help shows them. Every function binds a
// variable that must outlive the parse, and returns the declaration for further words on it.
class Options {
 public:
  Option& Switch(std::string_view names, const Text& help, bool& target);
  Option& String(std::string_view names, std::string_view value, const Text& help,
                 std::string& target);
  Option& File(std::string_view names, std::string_view value, const Text& help,
               std::string& target);
  // One of `words`.
  Option& Choice(std::string_view names, std::vector<std::string_view> words, const Text& help,
                 std::string& target);
  // Comma separated, and the option may be repeated.
  Option& List(std::string_view names, std::string_view value, const Text& help,
               std::vector<std::string>& target);
  // "100ms", "5s", "2h"; at least `least` seconds, at most a year. "0" only when `least` is 0.
  Option& Duration(std::string_view names, const Text& help, double& seconds, double least);
  // "64MiB"; at least `least` bytes.
  Option& Bytes(std::string_view names, const Text& help, uint64_t& bytes, uint64_t least);
  Option& Number(std::string_view names, const Text& help, uint64_t& target, uint64_t least,
                 uint64_t most);

  // A word without a dash, one of `words`; may be left out.
  Option& Word(std::string_view name, std::vector<std::string_view> words, const Text& help,
               std::string& target);

  // The command line of another program, as it is: everything behind "--", or from the first word
  // on that is no option.
  Option& Rest(std::string_view name, const Text& help, std::vector<std::string>& target);
  // That one, or null.
  const Option* rest() const;

  const std::deque<Option>& all() const { return all_; }
  // By long or short name with its dashes, or by its key.
  const Option* Find(std::string_view name) const;
  // By long or short name with its dashes.
  const Option* Named(std::string_view name) const;

 private:
  Option& Add(std::string_view names, std::string_view value, const Text& help);
  std::deque<Option> all_;
};

}  // namespace gpusight::cli
