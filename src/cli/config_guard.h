// SPDX-License-Identifier: Apache-2.0
// What the TOML parser must not be given: its behaviour is undefined on some malformed files (found
// by fuzzing version 3.3, which Debian 12 has), and it runs out of stack on others. All of them are
// wrong anyway; here they are told from the rest. Next: config.cc, which asks before it parses.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/language.h"
#include "cli/config.h"

namespace gpusight::cli {

struct Unfit {
  Position at;  // from 1; columns are bytes
  Text what;
};

// The first place of `text`, a file without a byte order mark, that keeps it from the parser: a
// byte that is no UTF-8, or outside strings and comments one that no key, number or array is made
// of; a section without a name; a string without an end on its line; a line of more than 100 dots.
// Pure.
std::optional<Unfit> FirstUnfit(std::string_view text);

// The parser sees only ASCII: every other byte and '%' as %XX, and OfAscii() turns the strings that
// it gives back into what stood there.
std::string AsciiOf(std::string_view text);
std::string OfAscii(std::string_view ascii);

}  // namespace gpusight::cli
