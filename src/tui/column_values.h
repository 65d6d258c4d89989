// SPDX-License-Identifier: Apache-2.0
// What stands in a cell of the process table, and by what a column is sorted. Pure.
#pragma once

#include <string>

#include "tui/columns.h"
#include "tui/io_rates.h"
#include "tui/state.h"

namespace gpusight::tui {

// A sort key: numbers before words; what is not known comes last in either direction.
struct SortKey {
  bool known = false;
  double number = 0;
  std::string word;
};

// Of the devices that are shown: all, or the one in focus.
[[nodiscard]] SortKey SortKeyOf(const State& state, const ProcessSample& process, Column column);
[[nodiscard]] std::string CellOf(const State& state, const ProcessSample& process, Column column);

// Everything that search and filter look at, in lower case.
[[nodiscard]] std::string SearchText(const State& state, const ProcessSample& process);

// True when every word of `pattern` occurs; upper and lower case are the same.
[[nodiscard]] bool Matches(const std::string& search_text, std::string_view pattern);

}  // namespace gpusight::tui
