// SPDX-License-Identifier: Apache-2.0
#include "record/wide_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "record/reasons.h"

namespace gpusight::record {
namespace {

// A double that is a whole number as an integer: it takes fewer bytes.
void BindNumber(Statement& statement, int at, const Known<double>& value, bool whole) {
  constexpr double kExact = 9007199254740992;  // 2^53
  if (!value) {
    statement.BindNull(at);
    return;
  }
  const double number = whole ? std::round(*value) : *value;
  if (std::abs(number) < kExact && number == std::trunc(number)) {
    statement.Bind(at, static_cast<int64_t>(number));
  } else {
    statement.BindReal(at, number);
  }
}

// Of counts a mean may have a fraction.
bool IsWhole(Unit unit) { return unit == Unit::kBytes || unit == Unit::kHertz; }

}  // namespace

AbsenceTable::AbsenceTable(Database& database)
    : insert_(database.Prepare("INSERT OR REPLACE INTO absence VALUES(?,?,?,?,?,?,?)")),
      keep_(database.Prepare("INSERT OR IGNORE INTO absence VALUES(?,?,?,?,?,?,?)")) {}

bool AbsenceTable::Write(int64_t t, std::string_view scope, Key key, std::string_view field,
                         Missing missing, bool replace) {
  Statement& insert = replace ? insert_ : keep_;
  insert.Bind(1, t).BindText(2, scope).Bind(3, key.entity).Bind(4, key.part).BindText(5, field);
  insert.BindText(6, ReasonName(missing.why)).Bind(7, missing.code);
  return insert.Run();
}

WideTable::WideTable(Database& database, AbsenceTable& absences, Scope scope)
    : absences_(absences), scope_(scope), on_change_(scope == Scope::kUse) {
  const auto prepare = [&](Part part, bool replace) {
    return FieldsOf(scope, part).empty() ? Statement() : database.Prepare(InsertSql(part, replace));
  };
  frame_ = prepare(Part::kFrame, true);
  slow_ = prepare(Part::kSlow, true);
  least_ = prepare(Part::kLeast, true);
  most_ = prepare(Part::kMost, true);
  keep_slow_ = prepare(Part::kSlow, false);
  if (on_change_) keep_frame_ = prepare(Part::kFrame, false);
  read_least_ = database.Prepare(SelectSql(Part::kLeast));
  read_most_ = database.Prepare(SelectSql(Part::kMost));
}

std::string WideTable::InsertSql(Part part, bool replace) const {
  size_t count = 1 + KeysOf(scope_).size() + FieldsOf(scope_, part).size();
  if (part == Part::kFrame) count += ExtrasOf(scope_).size();
  std::string marks = "?";
  for (size_t i = 1; i < count; ++i) marks += ",?";
  return fmt::format("INSERT OR {} INTO {} VALUES({})", replace ? "REPLACE" : "IGNORE",
                     TableName(scope_, part), marks);
}

std::string WideTable::SelectSql(Part part) const {
  std::string columns;
  for (const size_t field : FieldsOf(scope_, part)) {
    columns += columns.empty() ? "" : ",";
    columns += RowsOf(scope_)[field].name;
  }
  std::string where = "t=?";
  for (const std::string_view key : KeysOf(scope_)) where += fmt::format(" AND {}=?", key);
  return fmt::format("SELECT {} FROM {} WHERE {}", columns, TableName(scope_, part), where);
}

bool WideTable::Insert(Statement& statement, Part part, int64_t t, const WideRow& row,
                       Values values) {
  int at = 1;
  statement.Bind(at++, t);
  const size_t keys = KeysOf(scope_).size();
  if (keys > 0) statement.Bind(at++, row.key.entity);
  if (keys > 1) statement.Bind(at++, row.key.part);
  if (part == Part::kFrame) {
    for (const Known<double>& extra : row.extras) BindNumber(statement, at++, extra, false);
  }
  const auto rows = RowsOf(scope_);
  for (const size_t field : FieldsOf(scope_, part)) {
    BindNumber(statement, at++, values[field], IsWhole(rows[field].unit));
  }
  return statement.Run();
}

bool WideTable::IsNews(const State& state, const WideRow& row, int64_t t) const {
  if (state.last.empty()) return true;
  const auto same = [](const Known<double>& a, const Known<double>& b) {
    return a.known() == b.known() && (!a.known() || *a == *b);
  };
  if (on_change_) {
    for (size_t i = 0; i < row.values.size(); ++i) {
      if (!same(state.last[i], row.values[i])) return true;
    }
    return !same(state.last[row.values.size()], row.extras[0]);
  }
  const bool rested = t - state.slow_t >= static_cast<int64_t>(kLazySeconds * 1000);
  for (const size_t field : FieldsOf(scope_, Part::kSlow)) {
    const bool differs = !same(state.last[field], row.values[field]);
    // Whether there is a value at all is never late: the reason for its absence would be wrong.
    const bool waits = PaceOf(scope_, field) == Pace::kLazy && !rested &&
                       state.last[field].known() == row.values[field].known();
    if (differs && !waits) return true;
  }
  return false;
}

std::string_view WideTable::FieldName(size_t at) const {
  const auto rows = RowsOf(scope_);
  return at < rows.size() ? rows[at].name : ExtrasOf(scope_)[at - rows.size()];
}

bool WideTable::WriteReasons(int64_t t, const WideRow& row, State& state) {
  const size_t fields = row.values.size();
  const size_t count = fields + row.extras.size();
  state.reasons.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const Known<double>& value = i < fields ? row.values[i] : row.extras[i - fields];
    if (value || value.missing() == state.reasons[i]) continue;
    state.reasons[i] = value.missing();
    if (!absences_.Write(t, ScopeName(scope_), row.key, FieldName(i), value.missing())) {
      return false;
    }
  }
  return true;
}

bool WideTable::Write(int64_t t, const WideRow& row, Values least, Values most) {
  State& state = states_[row.key];
  state.frame = frames_;
  const bool news = IsNews(state, row, t);
  if (news) {
    state.last.assign(row.values.begin(), row.values.end());
    if (on_change_) state.last.push_back(row.extras[0]);
    state.slow_t = t;
    if (slow_ && !Insert(slow_, Part::kSlow, t, row, row.values)) return false;
  }
  if ((news || !on_change_) && !Insert(frame_, Part::kFrame, t, row, row.values)) return false;
  if (!least.empty() &&
      (!Insert(least_, Part::kLeast, t, row, least) || !Insert(most_, Part::kMost, t, row, most))) {
    return false;
  }
  return WriteReasons(t, row, state);
}

bool WideTable::EndFrame(int64_t t) {
  const std::vector<Known<double>> nothing(RowsOf(scope_).size());
  const std::vector<Known<double>> types(1);
  for (auto it = states_.begin(); it != states_.end();) {
    if (it->second.frame == frames_) {
      ++it;
      continue;
    }
    if (on_change_ &&
        !Insert(frame_, Part::kFrame, t, {scope_, it->first, nothing, types}, nothing)) {
      return false;
    }
    it = states_.erase(it);
  }
  ++frames_;
  return true;
}

bool WideTable::WriteBorder(int64_t t, const WideRow& row, std::span<const Missing> reasons) {
  const auto found = states_.find(row.key);
  State blank;
  State& state = found == states_.end() ? blank : found->second;
  if (IsNews(state, row, t + static_cast<int64_t>(kLazySeconds * 1000))) {
    if (keep_slow_ && !Insert(keep_slow_, Part::kSlow, t, row, row.values)) return false;
    if (keep_frame_ && !Insert(keep_frame_, Part::kFrame, t, row, row.values)) return false;
  }
  for (size_t i = 0; i < reasons.size(); ++i) {
    const Missing written = i < state.reasons.size() ? state.reasons[i] : Missing{};
    if (reasons[i] == written) continue;
    if (!absences_.Write(t, ScopeName(scope_), row.key, FieldName(i), reasons[i], false)) {
      return false;
    }
  }
  return true;
}

bool WideTable::EndBorder(int64_t t, const std::vector<Key>& present) {
  if (!on_change_) return true;
  const std::vector<Known<double>> nothing(RowsOf(scope_).size());
  const std::vector<Known<double>> types(1);
  for (const auto& [key, state] : states_) {
    if (std::find(present.begin(), present.end(), key) != present.end()) continue;
    if (!Insert(keep_frame_, Part::kFrame, t, {scope_, key, nothing, types}, nothing)) return false;
  }
  return true;
}

void WideTable::ReadExtremes(int64_t t, Key key, std::vector<Known<double>>& least,
                             std::vector<Known<double>>& most) {
  const auto read = [&](Statement& statement, Part part, std::vector<Known<double>>& out) {
    out.assign(RowsOf(scope_).size(), Known<double>());
    statement.Bind(1, t);
    const size_t keys = KeysOf(scope_).size();
    if (keys > 0) statement.Bind(2, key.entity);
    if (keys > 1) statement.Bind(3, key.part);
    if (statement.Row()) {
      int at = 0;
      for (const size_t field : FieldsOf(scope_, part)) {
        if (!statement.IsNull(at)) out[field] = statement.Real(at);
        ++at;
      }
    }
    statement.Reset();
  };
  read(read_least_, Part::kLeast, least);
  read(read_most_, Part::kMost, most);
}

}  // namespace gpusight::record
