// SPDX-License-Identifier: Apache-2.0
#include "record/rollup.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpusight::record {
namespace {

constexpr int64_t kTenSeconds = 10'000, kMinute = 60'000;
constexpr double kMostHaste = 4096;
constexpr int kPiecesInHaste = 16;   // of work per call, while the file is too large
constexpr double kLittleRoom = 0.8;  // of the size limit: merge earlier
constexpr double kNoRoom = 0.9;      // drop the oldest; what is left is for a commit
constexpr double kDropShare = 0.05;  // of the recording's time, at once

constexpr std::string_view kRange = "WHERE t>? AND t<=?";

}  // namespace

Rollup::Level::Level(Database& database, int64_t its_bucket_ms, double its_keep_seconds)
    : bucket_ms(its_bucket_ms),
      keep_seconds(its_keep_seconds),
      absences(database),
      tables(database, absences) {}

Rollup::Rollup(Database& database, const Retention& retention)
    : database_(database), retention_(retention), idle_times_(database) {
  next_ = database.Prepare("SELECT t FROM frame WHERE t>? ORDER BY t LIMIT 1");
  last_ = database.Prepare("SELECT max(t) FROM frame WHERE t>? AND t<?");
  frame_ = database.Prepare("INSERT OR REPLACE INTO frame VALUES(?,?,?,?)");
  const auto add = [&](std::vector<Statement>& list, std::string_view table,
                       std::string_view more = "") {
    list.push_back(database.Prepare(fmt::format("DELETE FROM {} {}{}", table, kRange, more)));
  };
  for (const Table& table : Tables()) {
    if (table.scope != Scope::kCount) add(deletes_, table.name);
  }
  add(deletes_, "device_samples");
  add(deletes_, "frame");
  add(deletes_, "absence", " AND scope NOT IN('identity','machine')");
  for (const char* table : {"step", "stack_sample", "probe_frame", "mark", "event"}) {
    add(drops_, table);
  }
  thin_probes_ = database.Prepare(
      "DELETE FROM probe_frame WHERE t>?1 AND t<(SELECT max(t) FROM probe_frame WHERE t>?1 AND "
      "t<=?2)");
  read_steps_ = database.Prepare(
      "SELECT process,max(t),max(number),sum(microseconds*coalesce(merged,1)),"
      "sum(data_microseconds*coalesce(merged,1)),sum(coalesce(merged,1)),"
      "min(coalesce(min_microseconds,microseconds)),max(coalesce(max_microseconds,microseconds)) "
      "FROM step WHERE t>? AND t<=? GROUP BY process");
  delete_steps_ = database.Prepare("DELETE FROM step WHERE t>? AND t<=?");
  add_step_ = database.Prepare("INSERT OR REPLACE INTO step VALUES(?,?,?,?,?,?,?,?)");
  read_stacks_ = database.Prepare(
      "SELECT s.process,s.stack,s.samples,s.idle_samples,s.times,f.time FROM stack_sample s LEFT "
      "JOIN frame f USING(t) WHERE s.t>? AND s.t<=?");
  delete_stacks_ = database.Prepare("DELETE FROM stack_sample WHERE t>? AND t<=?");
  add_stack_ = database.Prepare("INSERT OR REPLACE INTO stack_sample VALUES(?,?,?,?,?,NULL)");
  levels_.push_back(std::make_unique<Level>(database, kTenSeconds, retention.full_seconds));
  levels_.push_back(std::make_unique<Level>(
      database, kMinute, std::max(retention.tens_seconds, retention.full_seconds)));
}

Rollup::~Rollup() = default;

void Rollup::Commit() {
  for (const auto& level : levels_) level->committed = level->done;
}

void Rollup::Forget() {
  for (const auto& level : levels_) {
    level->done = level->committed;
    level->tables.Forget();
    level->decoder.reset();
    level->started = false;
  }
}

// Where an earlier transaction, or an earlier call, left off.
bool Rollup::Start(Level& level) {
  if (level.started) return true;
  if (!level.decoder) {
    level.decoder = std::make_unique<Decoder>(database_, Decoder::Depth::kNumbers);
  }
  if (level.done != INT64_MIN && !level.decoder->SeekAfter(level.done)) return false;
  level.started = true;
  return true;
}

bool Rollup::Step(int64_t now) {
  const Room room = RoomLeft();
  if (room == Room::kEnough && haste_ > 1) haste_ /= 2;
  for (int i = 0; i < (room == Room::kEnough ? 1 : kPiecesInHaste); ++i) {
    bool merged = false;
    for (const auto& level : levels_) {
      const Outcome outcome = MergeOne(*level, now);
      if (outcome == Outcome::kFailed) return false;
      merged = merged || outcome == Outcome::kMerged;
    }
    if (!merged && room != Room::kEnough) haste_ = std::min(2 * haste_, kMostHaste);
  }
  return room != Room::kNone || DropOldest(now);
}

Rollup::Outcome Rollup::MergeOne(Level& level, int64_t now) {
  if (!Start(level)) return Outcome::kFailed;
  const bool found = next_.Bind(1, level.done).Row();
  const int64_t first = found ? next_.Integer(0) : 0;
  next_.Reset();
  if (!found) return Outcome::kNothing;
  const int64_t end = (first / level.bucket_ms + 1) * level.bucket_ms;
  const double keep = level.keep_seconds / haste_;
  if (end > now - static_cast<int64_t>(keep * 1000)) return Outcome::kNothing;

  last_.Bind(1, level.done).Bind(2, end);
  const int64_t last = last_.Row() ? last_.Integer(0) : 0;
  last_.Reset();
  // The finer level must have been here before.
  if (&level != levels_[0].get() && last > levels_[0]->done) return Outcome::kNothing;

  merger_.Clear();
  Frame frame;
  double interval = 0;
  int64_t merged = 0;
  do {
    if (!level.decoder->Next(frame)) return Outcome::kFailed;
    interval += frame.interval_seconds;
    merged += level.decoder->merged();
    WideTables* extremes = &level == levels_[0].get() ? nullptr : &level.tables;
    merger_.Add(frame, level.decoder->ids(), level.decoder->merged(), level.decoder->t(), extremes);
  } while (level.decoder->t() < last);

  Stacks stacks;
  if (!ReadStacks(level.done, last, stacks) || !Delete(level.done, last)) return Outcome::kFailed;
  frame_.Bind(1, last).Bind(2, frame.time.ns).BindReal(3, interval).Bind(4, merged);
  if (!frame_.Run() || !merger_.Write(last, level.tables) || !level.tables.EndFrame(last) ||
      !MergeSteps(level.done, last) || !WriteStacks(level.done, last, stacks) ||
      !thin_probes_.Bind(1, level.done).Bind(2, last).Run() || !WriteBorder(level, frame, last)) {
    return Outcome::kFailed;
  }
  level.done = last;
  return Outcome::kMerged;
}

bool Rollup::WriteBorder(Level& level, const Frame& last, int64_t t) {
  const bool found = next_.Bind(1, t).Row();
  const int64_t border = found ? next_.Integer(0) : 0;
  next_.Reset();
  if (!found) return true;
  bool good = true;
  std::vector<Key> uses;
  const Decoder& decoder = *level.decoder;
  EachRow(last, decoder.ids(), [&](const WideRow& row) {
    good = good && level.tables.Of(row.scope).WriteBorder(border, row,
                                                          decoder.ReasonsOf(row.scope, row.key));
    if (row.scope == Scope::kUse) uses.push_back(row.key);
  });
  return good && level.tables.Of(Scope::kUse).EndBorder(border, uses);
}

bool Rollup::Delete(int64_t after, int64_t to) {
  return std::all_of(deletes_.begin(), deletes_.end(),
                     [&](Statement& s) { return s.Bind(1, after).Bind(2, to).Run(); });
}

bool Rollup::MergeSteps(int64_t after, int64_t to) {
  struct Row {
    int64_t process, t, number, total, data, count, least, most;
  };
  std::vector<Row> rows;
  read_steps_.Bind(1, after).Bind(2, to);
  while (read_steps_.Row()) {
    Row& row = rows.emplace_back();
    int at = 0;
    for (int64_t* value : {&row.process, &row.t, &row.number, &row.total, &row.data, &row.count,
                           &row.least, &row.most}) {
      *value = read_steps_.Integer(at++);
    }
  }
  const bool good = !read_steps_.failed();
  read_steps_.Reset();
  if (!good || !delete_steps_.Bind(1, after).Bind(2, to).Run()) return false;
  for (const Row& row : rows) {
    const int64_t count = std::max<int64_t>(1, row.count);
    add_step_.Bind(1, row.t).Bind(2, row.process).Bind(3, row.number);
    add_step_.Bind(4, row.total / count).Bind(5, row.data / count).Bind(6, count);
    if (!add_step_.Bind(7, row.least).Bind(8, row.most).Run()) return false;
  }
  return true;
}

bool Rollup::ReadStacks(int64_t after, int64_t to, Stacks& stacks) {
  if (!idle_times_.Load(after, to)) return false;
  std::map<int64_t, std::set<int64_t>> devices;
  std::vector<WallTime> times;
  read_stacks_.Bind(1, after).Bind(2, to);
  while (read_stacks_.Row()) {
    const int64_t process = read_stacks_.Integer(0);
    StackRow& row = stacks[{process, read_stacks_.Integer(1)}];
    row.samples += read_stacks_.Integer(2);
    std::optional<int64_t> idle;
    if (!read_stacks_.IsNull(3)) {
      idle = read_stacks_.Integer(3);
    } else if (!read_stacks_.IsNull(4)) {
      const auto [place, fresh] = devices.try_emplace(process);
      if (fresh) place->second = merger_.DevicesOf(process);
      DecodeTimes(read_stacks_.Bytes(4), {read_stacks_.Integer(5)}, times);
      idle = idle_times_.Count(times, place->second);
    }
    if (idle) row.idle = row.idle.value_or(0) + *idle;
  }
  const bool good = !read_stacks_.failed();
  read_stacks_.Reset();
  return good;
}

bool Rollup::WriteStacks(int64_t after, int64_t to, const Stacks& stacks) {
  if (!delete_stacks_.Bind(1, after).Bind(2, to).Run()) return false;
  for (const auto& [name, row] : stacks) {
    add_stack_.Bind(1, to).Bind(2, name.first).Bind(3, name.second).Bind(4, row.samples);
    if (row.idle) {
      add_stack_.Bind(5, *row.idle);
    } else {
      add_stack_.BindNull(5);
    }
    if (!add_stack_.Run()) return false;
  }
  return true;
}

Rollup::Room Rollup::RoomLeft() {
  if (retention_.size_limit == 0) return Room::kEnough;
  const auto pages = database_.Number("PRAGMA page_count");
  const auto free = database_.Number("PRAGMA freelist_count");
  const auto size = database_.Number("PRAGMA page_size");
  if (!pages || !free || !size) return Room::kEnough;
  const auto used = static_cast<double>((*pages - *free) * *size);
  const auto limit = static_cast<double>(retention_.size_limit);
  return used > kNoRoom * limit       ? Room::kNone
         : used > kLittleRoom * limit ? Room::kLittle
                                      : Room::kEnough;
}

bool Rollup::DropOldest(int64_t now) {
  const bool found = next_.Bind(1, INT64_MIN).Row();
  const int64_t first = found ? next_.Integer(0) : now;
  next_.Reset();
  const int64_t to = first + static_cast<int64_t>(kDropShare * static_cast<double>(now - first));
  if (!found || to >= levels_[0]->done) return true;  // nothing merged is left to drop
  const auto drop = [&](Statement& s) { return s.Bind(1, INT64_MIN).Bind(2, to).Run(); };
  // Slow rows and reasons before `to` still hold for what comes after.
  const bool found_next = next_.Bind(1, to).Row();
  next_.Reset();
  if (!found_next) return true;
  Decoder decoder(database_, Decoder::Depth::kNumbers);
  Frame frame;
  if (!decoder.SeekAfter(to) || !decoder.Next(frame)) return !decoder.failed();
  for (Statement& statement : deletes_) {
    if (!drop(statement)) return false;
  }
  for (Statement& statement : drops_) {
    if (!drop(statement)) return false;
  }
  AbsenceTable absences(database_);
  WideTables tables(database_, absences);
  bool good = true;
  EachRow(frame, decoder.ids(), [&](const WideRow& row) {
    good = good && tables.Of(row.scope).WriteBorder(decoder.t(), row,
                                                    decoder.ReasonsOf(row.scope, row.key));
  });
  return good && database_.Run(fmt::format("DELETE FROM process WHERE last_t<={}", to));
}

}  // namespace gpusight::record
