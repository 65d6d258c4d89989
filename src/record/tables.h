// SPDX-License-Identifier: Apache-2.0
// A recording as plain tables for other programs: every row complete (what changes seldom stands in
// every row, names stand instead of ids), every column with a type and a unit. One pass over the
// frames. The cli writes them as CSV or JSON lines. Next: series.h for charts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "record/reader.h"

namespace gpusight::record {

enum class CellType : uint8_t { kTime, kInteger, kReal, kText };

struct TableColumn {
  std::string_view name;
  CellType type = CellType::kReal;
  std::string_view unit = {};  // "bytes", "ratio", …; empty for what is no number
};

struct ExportTable {
  std::string_view name;
  std::vector<TableColumn> columns;
};

// Nothing: not known. Texts live until the sink returns.
using TableCell = std::variant<std::monostate, WallTime, int64_t, double, std::string_view>;

// All tables, in the order of their numbers.
[[nodiscard]] const std::vector<ExportTable>& ExportTables();

class TableSink {
 public:
  virtual ~TableSink() = default;
  // One row of ExportTables()[table]. False: stop.
  virtual bool Row(size_t table, std::span<const TableCell> cells) = 0;
};

// Gives every row of the span to the sink. The error is about the recording.
Result<void> WriteTables(const Recording& recording, Span span, TableSink& sink);

}  // namespace gpusight::record
