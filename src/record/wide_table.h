// SPDX-License-Identifier: Apache-2.0
// Writes the numbers of one scope: a row per frame (of uses: per change), a row of the slow ones
// when one changed, the extremes of merged frames, and why a number is missing when that changed.
// Next: encoder.h.
#pragma once

#include <map>
#include <vector>

#include "record/database.h"
#include "record/wide_rows.h"

namespace gpusight::record {

// The rows of the table `absence`.
class AbsenceTable {
 public:
  explicit AbsenceTable(Database& database);
  // False on an error, as all that writes here. `replace` false: what is there stays.
  bool Write(int64_t t, std::string_view scope, Key key, std::string_view field, Missing missing,
             bool replace = true);

 private:
  Statement insert_, keep_;
};

class WideTable {
 public:
  WideTable(Database& database, AbsenceTable& absences, Scope scope);

  // `least` and `most`: of a merged frame, else empty; all fields, those without extremes ignored.
  bool Write(int64_t t, const WideRow& row, Values least = {}, Values most = {});
  // After all rows of a frame: forgets who has none any more.
  bool EndFrame(int64_t t);

  // Takes back to what `row` says what the merged frame before `t` says otherwise, unless there is
  // a row at `t` already. `reasons`: the last ones, as WideReader::ReasonsOf() has them.
  bool WriteBorder(int64_t t, const WideRow& row, std::span<const Missing> reasons);
  // The same for uses that the merged frame has and the last of its frames had not.
  bool EndBorder(int64_t t, const std::vector<Key>& present);

  // Replaces both by what a merged frame at `t` has; missing where it has none.
  void ReadExtremes(int64_t t, Key key, std::vector<Known<double>>& least,
                    std::vector<Known<double>>& most);

  // After a transaction was taken back: nothing is known of what is written.
  void Forget() { states_.clear(); }

 private:
  struct State {
    std::vector<Known<double>> last;  // what on-change columns hold
    std::vector<Missing> reasons;     // of fields, then of extras, as far as they were missing
    int64_t slow_t = 0;
    uint64_t frame = 0;
  };
  bool IsNews(const State& state, const WideRow& row, int64_t t) const;
  bool Insert(Statement& statement, Part part, int64_t t, const WideRow& row, Values values);
  bool WriteReasons(int64_t t, const WideRow& row, State& state);
  std::string_view FieldName(size_t at) const;
  std::string InsertSql(Part part, bool replace) const;
  std::string SelectSql(Part part) const;

  AbsenceTable& absences_;
  Scope scope_;
  bool on_change_;  // also the frame table
  Statement frame_, slow_, least_, most_, keep_frame_, keep_slow_, read_least_, read_most_;
  std::map<Key, State> states_;
  uint64_t frames_ = 0;
};

}  // namespace gpusight::record
