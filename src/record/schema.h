// SPDX-License-Identifier: Apache-2.0
// What is in a recording: tables, columns and views, made from the metric catalogue. The columns of
// numbers are the catalogue's names. docs/recording.md shows the tables for people.
// A new metric is a new column and needs no new version: readers go by names, and what a file lacks
// is absent. kSchemaVersion grows when something that was there changes its meaning.
// Next: encoder.h (frames to rows) and decoder.h (rows to frames).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/language.h"
#include "model/catalog.h"

namespace gpusight::record {

inline constexpr int32_t kApplicationId = 0x47505553;  // "GPUS"
inline constexpr int32_t kSchemaVersion = 2;

// Whose numbers.
enum class Scope : uint8_t {
  kDevice,
  kUse,  // a process on a device
  kProcess,
  kContainer,
  kHost,
  kFramework,
  kAllocator,
  kCount
};
inline constexpr size_t kScopes = static_cast<size_t>(Scope::kCount);

// How often a number is written.
enum class Pace : uint8_t {
  kEachFrame,  // <scope>_frame
  kOnChange,   // <scope>_slow, a row whenever one of these changed
  kLazy,       // <scope>_slow too, but changes of these alone make a row every kLazySeconds at most
};
inline constexpr double kLazySeconds = 10;

[[nodiscard]] std::string_view ScopeName(Scope scope);
[[nodiscard]] std::span<const CatalogRow> RowsOf(Scope scope);
[[nodiscard]] Pace PaceOf(Scope scope, size_t field);

// The tables of a scope. kFrame has a row per frame (of uses: per change), kLeast and kMost hold
// the extremes of merged frames.
enum class Part : uint8_t { kFrame, kSlow, kLeast, kMost };
[[nodiscard]] std::string TableName(Scope scope, Part part);
// Positions in RowsOf(scope) of its columns, in their order; empty: there is no such table.
[[nodiscard]] const std::vector<size_t>& FieldsOf(Scope scope, Part part);
// Columns that say whose numbers they are, besides t: "process", "device".
[[nodiscard]] std::span<const std::string_view> KeysOf(Scope scope);
// Further columns of kFrame that are no metrics: "state".
[[nodiscard]] std::span<const std::string_view> ExtrasOf(Scope scope);

// Whether merged frames hold the mean of a field; else its last value.
[[nodiscard]] bool HasMean(const CatalogRow& row);

struct Column {
  std::string_view name, type;
  Text meaning;
};
// A table, without the metrics in it.
struct Table {
  std::string_view name;
  std::string_view key;  // "t, device"; empty: the first column is the row's number
  Text meaning;
  std::span<const Column> columns;
  Scope scope = Scope::kCount;  // whose metrics follow, if any
  Part part = Part::kFrame;
};
struct View {
  std::string_view name;
  Text meaning;
  std::string sql;  // after AS
};

[[nodiscard]] std::span<const Table> Tables();
[[nodiscard]] std::vector<View> Views();
// The type of a metric's column.
[[nodiscard]] std::string_view SqlType(Unit unit);
// Everything that makes an empty recording.
[[nodiscard]] std::string SchemaSql();

}  // namespace gpusight::record
