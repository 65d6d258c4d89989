// SPDX-License-Identifier: Apache-2.0
// Takes back a commit that was cut, without writing: applies the rollback journal that lies beside
// a database to a copy of it in memory. (SQLite itself would write to the file.) The format is
// SQLite's, "The Rollback Journal" in its file format document. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace gpusight::record {

// Puts the pages of the journal back into `database`, and returns how many bytes of it are the
// database then; nullopt when the journal is none or does not fit.
[[nodiscard]] std::optional<size_t> ApplyJournal(std::string_view journal,
                                                 std::span<unsigned char> database);

}  // namespace gpusight::record
