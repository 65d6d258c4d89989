// SPDX-License-Identifier: Apache-2.0
// Breaking sentences into lines. Pure.
#pragma once

#include <string>
#include <string_view>

namespace gpusight::exporting {

// `text` broken into lines of at most `columns` cells: at blanks, and between two East Asian wide
// characters, but never in front of closing punctuation. Every line but the first is indented by
// `indent` cells, for which the first has room already taken.
[[nodiscard]] std::string Wrap(std::string_view text, int columns, int indent);

}  // namespace gpusight::exporting
