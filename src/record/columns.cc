// SPDX-License-Identifier: Apache-2.0
#include "record/columns.h"

#include <fmt/format.h>

#include <limits>

namespace gpusight::record {

std::set<std::string, std::less<>> ColumnsOf(Database& database, std::string_view table) {
  std::set<std::string, std::less<>> columns;
  // A plain table has a root page and is called what the schema calls it.
  Statement plain = database.Prepare(
      "SELECT 1 FROM sqlite_schema WHERE type='table' AND name=?1 AND tbl_name=?1 AND rootpage>0");
  if (!plain || !plain.BindText(1, table).Row()) return columns;
  Statement statement = database.Prepare(fmt::format("PRAGMA table_xinfo({})", table));
  if (!statement) return columns;
  while (statement.Row()) {
    if (statement.Integer(6) == 0) columns.emplace(statement.Text(1));
  }
  return columns;
}

Statement Select(Database& database, std::string_view table,
                 const std::vector<std::string_view>& columns, std::string_view rest) {
  const auto present = ColumnsOf(database, table);
  if (present.empty()) return {};
  std::string sql = "SELECT ";
  for (size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) sql += ',';
    sql += present.contains(columns[i]) ? columns[i] : "NULL";
  }
  if (columns.empty()) sql += "NULL";
  return database.Prepare(fmt::format("{} FROM {} {}", sql, table, rest));
}

std::string TextOf(const Statement& statement, int at, size_t most) {
  return std::string(statement.Text(at).substr(0, most));
}

int IntOf(const Statement& statement, int at, int otherwise) {
  const int64_t value = statement.Integer(at);
  const bool fits =
      value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
  return fits && !statement.IsNull(at) ? static_cast<int>(value) : otherwise;
}

}  // namespace gpusight::record
