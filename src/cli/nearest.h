// SPDX-License-Identifier: Apache-2.0
// "Did you mean …?": the candidate nearest to a misspelt word. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace gpusight::cli {

// Letters to insert, delete, replace or swap with their neighbour to turn `a` into `b`.
[[nodiscard]] size_t EditDistance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, or nullopt when none is near enough to be meant: at most a
// third of the longer word may differ, and a candidate that begins with the whole word counts as
// near.
[[nodiscard]] std::optional<std::string_view> Nearest(std::string_view word,
                                                      std::span<const std::string_view> candidates);

}  // namespace gpusight::cli
