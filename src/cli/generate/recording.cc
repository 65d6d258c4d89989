// SPDX-License-Identifier: Apache-2.0
#include "cli/generate/recording.h"

#include <fmt/format.h>

#include "cli/generate/table.h"
#include "model/text/record_docs.h"
#include "record/schema.h"

namespace gpusight::cli {
namespace {

// "INTEGER PRIMARY KEY" is the rowid; that is said by the key.
std::string_view TypeOf(const record::Column& column) {
  return column.type.substr(0, column.type.find(' '));
}

std::string KeyOf(const record::Table& table) {
  return std::string(table.key.empty() ? table.columns[0].name : table.key);
}

}  // namespace

std::string RecordingTables(Language language) {
  std::string out = TableHeader(
      language, {text::kRecordDocsTable, text::kRecordDocsKey, text::kRecordDocsMeaning});
  for (const record::Table& table : record::Tables()) {
    out += fmt::format("| `{}` | {} | {} |\n", table.name, KeyOf(table),
                       TableCell(Say(language, table.meaning)));
  }
  return out;
}

std::string RecordingColumns(Language language) {
  std::string out;
  for (const record::Table& table : record::Tables()) {
    // Extremes have the columns of their frame's table.
    if (table.part == record::Part::kMost || table.part == record::Part::kLeast) continue;
    out += fmt::format("\n**{}**: {}\n\n", table.name, Say(language, table.meaning));
    out += TableHeader(language,
                       {text::kRecordDocsColumn, text::kRecordDocsType, text::kRecordDocsMeaning});
    for (const record::Column& column : table.columns) {
      out += fmt::format("| `{}` | {} | {} |\n", column.name, TypeOf(column),
                         TableCell(Say(language, column.meaning)));
    }
    if (table.scope == record::Scope::kCount) continue;
    const auto rows = record::RowsOf(table.scope);
    for (const size_t field : record::FieldsOf(table.scope, table.part)) {
      out +=
          fmt::format("| `{}` | {} | {} |\n", rows[field].name, record::SqlType(rows[field].unit),
                      TableCell(Say(language, rows[field].meaning)));
    }
  }
  out += '\n';
  return out;
}

std::string RecordingViews(Language language) {
  std::string out = TableHeader(language, {text::kRecordDocsView, text::kRecordDocsMeaning});
  for (const record::View& view : record::Views()) {
    out += fmt::format("| `{}` | {} |\n", view.name, TableCell(Say(language, view.meaning)));
  }
  return out;
}

}  // namespace gpusight::cli
