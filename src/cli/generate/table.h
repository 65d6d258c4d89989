// SPDX-License-Identifier: Apache-2.0
// The pieces of which generated tables in docs/ are made. Next: markdown.h.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/language.h"

namespace gpusight::cli {

// The text as a cell: a '|' would end it, a '<' begin an element.
[[nodiscard]] std::string TableCell(std::string_view text);

// The titles, and the line below them.
[[nodiscard]] std::string TableHeader(Language language, std::initializer_list<Text> titles);

}  // namespace gpusight::cli
