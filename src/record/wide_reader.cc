// SPDX-License-Identifier: Apache-2.0
#include "record/wide_reader.h"

#include "record/columns.h"

namespace gpusight::record {
namespace {

// Of one scope at one time. Real machines have some hundreds of processes.
constexpr size_t kMostEntities = 20'000;

}  // namespace

WideReader::WideReader(Database& database, Scope scope)
    : scope_(scope),
      on_change_(scope == Scope::kUse),
      fast_(FieldsOf(scope, Part::kFrame)),
      slow_(FieldsOf(scope, Part::kSlow)) {
  const auto names = [&](Part part) {
    std::vector<std::string_view> columns(KeysOf(scope).begin(), KeysOf(scope).end());
    if (part == Part::kFrame) {
      columns.insert(columns.end(), ExtrasOf(scope).begin(), ExtrasOf(scope).end());
    }
    for (const size_t field : FieldsOf(scope, part)) columns.push_back(RowsOf(scope)[field].name);
    return columns;
  };
  constexpr std::string_view kBetween = "WHERE t>? AND t<=? ORDER BY t";
  if (on_change_) {
    changes_ = Select(database, TableName(scope, Part::kFrame), names(Part::kFrame), kBetween);
  } else {
    frame_ = Select(database, TableName(scope, Part::kFrame), names(Part::kFrame), "WHERE t=?");
    if (!slow_.empty()) {
      changes_ = Select(database, TableName(scope, Part::kSlow), names(Part::kSlow), kBetween);
    }
  }
}

WideReader::State* WideReader::StateOf(Key key) {
  const auto found = states_.find(key);
  if (found != states_.end()) return &found->second;
  if (states_.size() >= kMostEntities) return nullptr;
  State& state = states_[key];
  state.last.resize(RowsOf(scope_).size());
  state.reasons.resize(RowsOf(scope_).size() + ExtrasOf(scope_).size());
  state.frame = frames_;
  return &state;
}

Key WideReader::KeyOf(const Statement& statement) const {
  const size_t keys = KeysOf(scope_).size();
  return {keys > 0 ? statement.Integer(0) : 0, keys > 1 ? statement.Integer(1) : 0};
}

bool WideReader::Advance(int64_t from, int64_t to) {
  if (!changes_) return true;
  changes_.Bind(1, from).Bind(2, to);
  while (changes_.Row()) {
    State* state = StateOf(KeyOf(changes_));
    if (state == nullptr) continue;
    auto at = static_cast<int>(KeysOf(scope_).size());
    const auto take = [&](Known<double>& value) {
      value = changes_.IsNull(at) ? Known<double>() : Known<double>(changes_.Real(at));
      ++at;
    };
    if (on_change_) {
      state->extras.resize(ExtrasOf(scope_).size());
      for (Known<double>& extra : state->extras) take(extra);
    }
    for (const size_t field : on_change_ ? fast_ : slow_) take(state->last[field]);
  }
  const bool good = !changes_.failed();
  changes_.Reset();
  return good;
}

void WideReader::SetReason(Key key, std::string_view field, Missing missing) {
  State* state = StateOf(key);
  if (state == nullptr) return;
  const auto rows = RowsOf(scope_);
  const auto extras = ExtrasOf(scope_);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == field) {
      state->reasons[i] = missing;
      return;
    }
  }
  for (size_t i = 0; i < extras.size(); ++i) {
    if (extras[i] == field) state->reasons[rows.size() + i] = missing;
  }
}

std::span<const Missing> WideReader::ReasonsOf(Key key) const {
  const auto found = states_.find(key);
  return found == states_.end() ? std::span<const Missing>() : found->second.reasons;
}

Values WideReader::Complete(const State& state) {
  values_.assign(state.last.begin(), state.last.end());
  for (size_t i = 0; i < values_.size(); ++i) {
    if (!values_[i]) values_[i] = state.reasons[i];
  }
  return values_;
}

bool WideReader::NextRow() {
  State* state = nullptr;
  while (state == nullptr) {
    if (!frame_.Row()) return false;
    key_ = KeyOf(frame_);
    state = StateOf(key_);
  }
  state->frame = frames_;
  (void)Complete(*state);
  auto at = static_cast<int>(KeysOf(scope_).size());
  const size_t fields = values_.size();
  extras_.resize(ExtrasOf(scope_).size());
  for (size_t i = 0; i < extras_.size(); ++i) {
    extras_[i] = frame_.IsNull(at) ? Known<double>(state->reasons[fields + i])
                                   : Known<double>(frame_.Real(at));
    ++at;
  }
  for (const size_t field : fast_) {
    values_[field] =
        frame_.IsNull(at) ? Known<double>(state->reasons[field]) : Known<double>(frame_.Real(at));
    ++at;
  }
  return true;
}

void WideReader::Prune() {
  for (auto it = states_.begin(); it != states_.end();) {
    it = it->second.frame == frames_ ? std::next(it) : states_.erase(it);
  }
}

}  // namespace gpusight::record
