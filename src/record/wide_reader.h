// SPDX-License-Identifier: Apache-2.0
// Reads the numbers of one scope back, frame by frame, and keeps what rows say until they say
// otherwise: slow numbers, uses, and the reasons for what is missing. The mirror of wide_table.h.
// Next: decoder.h.
#pragma once

#include <map>
#include <vector>

#include "record/database.h"
#include "record/wide_rows.h"

namespace gpusight::record {

class WideReader {
 public:
  WideReader(Database& database, Scope scope);

  // Takes up what changed after `from` and up to `to`. False on an error.
  bool Advance(int64_t from, int64_t to);
  void SetReason(Key key, std::string_view field, Missing missing);

  // Calls visit(key, values, extras) for each row of the frame at `t`; of uses, for each that is.
  // Then forgets who had none. False on an error.
  template <typename Visit>
  bool Rows(int64_t t, Visit&& visit) {
    ++frames_;
    if (on_change_) {
      for (auto& [key, state] : states_) {
        if (!state.extras.empty() && state.extras[0]) {
          state.frame = frames_;
          visit(key, Complete(state), Values(state.extras));
        }
      }
    } else if (frame_) {
      frame_.Bind(1, t);
      while (NextRow()) visit(key_, values_, extras_);
      const bool good = !frame_.failed();
      frame_.Reset();
      if (!good) return false;
    }
    Prune();
    return true;
  }

  // The last reason that each of its fields, then extras, was missing for; also of those that are
  // there now, because writers do not repeat themselves. Empty when it was not in the last frame.
  std::span<const Missing> ReasonsOf(Key key) const;

  void Clear() { states_.clear(); }

 private:
  struct State {
    std::vector<Known<double>> last;    // of slow numbers; of uses all
    std::vector<Known<double>> extras;  // of uses
    std::vector<Missing> reasons;       // of fields, then of extras
    uint64_t frame = 0;
  };
  State* StateOf(Key key);
  bool NextRow();
  Key KeyOf(const Statement& statement) const;
  Values Complete(const State& state);
  void Prune();

  Scope scope_;
  bool on_change_;
  Statement frame_, changes_;
  std::vector<size_t> fast_, slow_;
  std::map<Key, State> states_;
  uint64_t frames_ = 0;
  Key key_;
  std::vector<Known<double>> values_, extras_;
};

}  // namespace gpusight::record
