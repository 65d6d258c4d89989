// SPDX-License-Identifier: Apache-2.0
// Breaking sentences into lines. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpusight::exporting {

// `text` broken into lines of at most `columns` cells: at blanks, and between two East Asian wide
// characters, but never in front of closing punctuation. Every line but the first is indented by
// `indent` cells, for which the first has room already taken.
[[nodiscard]] std::string Wrap(std::string_view text, int columns, int indent);

// The pieces in lines of at most `room` cells, `gap` blanks between two; none is broken.
[[nodiscard]] std::vector<std::string> FillLines(std::span<const std::string> pieces, int room,
                                                 int gap);

}  // namespace gpusight::exporting
