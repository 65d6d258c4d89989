// SPDX-License-Identifier: Apache-2.0
// The columns of the process table: one row each says name, title, meaning, width and how much it
// matters when the screen is narrow. To add a column: an enumerator, a row, and a case in
// column_values.cc. Next: rows.h.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/language.h"

namespace gpusight::tui {

enum class Column : uint8_t {
  kPid,
  kUser,
  kDevice,
  kType,
  kContainer,
  kMemory,
  kMemoryShare,
  kSm,
  kMemoryActivity,
  kEncoder,
  kDecoder,
  kCpu,
  kHostMemory,
  kThreads,
  kWorkers,
  kRead,
  kWritten,
  kAge,
  kRole,
  kJob,
  kCommand,
  kCount
};
inline constexpr size_t kColumnCount = static_cast<size_t>(Column::kCount);
using ColumnSet = std::bitset<kColumnCount>;

struct ColumnRow {
  Column id;
  std::string_view name;  // for --sort
  Text title;
  Text meaning;
  int width;   // of the values, in cells
  bool right;  // numbers are aligned to the right
  bool shown;  // at the start
  int rank;    // the highest is left away first on a narrow screen; 0 never
  bool falls;  // sorted from the greatest to the least when chosen
};

[[nodiscard]] std::span<const ColumnRow> ColumnRows();
[[nodiscard]] const ColumnRow& RowOf(Column column);
[[nodiscard]] std::optional<Column> FindColumn(std::string_view name);
[[nodiscard]] ColumnSet DefaultColumns();

// A column in place on the screen.
struct PlacedColumn {
  Column id;
  int x = 0, width = 0;
};

// Which of `shown` fit into `width` cells and where; the command takes what is left.
[[nodiscard]] std::vector<PlacedColumn> PlaceColumns(const ColumnSet& shown, int width,
                                                     Language language);

}  // namespace gpusight::tui
