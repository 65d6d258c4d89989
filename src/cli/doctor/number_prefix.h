// SPDX-License-Identifier: Apache-2.0
// Numbers as C's strtoull and strtod read them: the longest prefix that is one. PyTorch and Paddle
// read their settings so, which makes "4096MB" 4096 and "1e3" 1. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gpusight::doctor {

struct NumberPrefix {
  double value = 0;   // without its sign for a whole number
  size_t length = 0;  // bytes used; 0: no number, or one that does not fit
  bool negative = false;
};

[[nodiscard]] NumberPrefix WholePrefix(std::string_view text);
[[nodiscard]] NumberPrefix RealPrefix(std::string_view text);

// As Python's int() and float() read them, which is how JAX reads its settings: the whole text must
// be a number ("1_000" is one), else the program ends.
[[nodiscard]] std::optional<double> PythonInt(std::string_view text);
[[nodiscard]] std::optional<double> PythonFloat(std::string_view text);

}  // namespace gpusight::doctor
