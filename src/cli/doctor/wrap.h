// SPDX-License-Identifier: Apache-2.0
// Breaks a text into lines of a number of terminal cells: at spaces, and between the characters of
// Chinese, which has none. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpusight::doctor {

// Words longer than a line stand alone on theirs. At least one line.
[[nodiscard]] std::vector<std::string> Wrap(std::string_view text, int cells);

}  // namespace gpusight::doctor
