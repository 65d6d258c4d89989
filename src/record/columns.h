// SPDX-License-Identifier: Apache-2.0
// Reads tables by the names of their columns, so that files of other versions stay readable: what a
// file lacks is NULL. Only plain tables and plain columns count; a file made to harm may have views
// and computed columns in their place. Next: wide_reader.h.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "record/database.h"

namespace gpusight::record {

// The plain columns of a table; empty when there is no such plain table.
[[nodiscard]] std::set<std::string, std::less<>> ColumnsOf(Database& database,
                                                           std::string_view table);

// "SELECT a,NULL,c FROM table <rest>" with NULL for what the table lacks; no statement when there
// is no such table.
[[nodiscard]] Statement Select(Database& database, std::string_view table,
                               const std::vector<std::string_view>& columns, std::string_view rest);

// A text of the file, at most that many bytes of it.
[[nodiscard]] std::string TextOf(const Statement& statement, int at, size_t most = 65536);
// An integer of the file that must fit.
[[nodiscard]] int IntOf(const Statement& statement, int at, int otherwise = 0);

}  // namespace gpusight::record
