// SPDX-License-Identifier: Apache-2.0
// Retention: merges frames that are old enough into frames of ten seconds, those later into frames
// of a minute, and drops the oldest when the file must not grow. Each call does a little, within a
// transaction of the caller's, so that no commit takes long; freed pages are used again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "record/decoder.h"
#include "record/encoder.h"
#include "record/idle_times.h"
#include "record/merger.h"
#include "record/writer.h"

namespace gpusight::record {

class Rollup {
 public:
  Rollup(Database& database, const Retention& retention);
  ~Rollup();

  // One bucket of each level, more when the file is too large. False on an error.
  bool Step(int64_t now);
  void Commit();  // the transaction of the last Step() stands
  void Forget();  // it was taken back

 private:
  struct Level {
    Level(Database& database, int64_t its_bucket_ms, double its_keep_seconds);
    int64_t bucket_ms;
    double keep_seconds;  // younger ones stay as they are
    AbsenceTable absences;
    WideTables tables;
    std::unique_ptr<Decoder> decoder;
    int64_t done = INT64_MIN;       // all up to here is merged
    int64_t committed = INT64_MIN;  // and stands
    bool started = false;
  };
  enum class Room : uint8_t { kEnough, kLittle, kNone };
  enum class Outcome : uint8_t { kNothing, kMerged, kFailed };

  Outcome MergeOne(Level& level, int64_t now);
  bool Start(Level& level);
  bool WriteBorder(Level& level, const Frame& last, int64_t t);
  bool Delete(int64_t after, int64_t to);
  bool MergeSteps(int64_t after, int64_t to);
  // Stacks need the frames and samples that Delete() takes away.
  struct StackRow {
    int64_t samples = 0;
    std::optional<int64_t> idle;
  };
  using Stacks = std::map<std::pair<int64_t, int64_t>, StackRow>;  // by process and stack
  bool ReadStacks(int64_t after, int64_t to, Stacks& stacks);
  bool WriteStacks(int64_t after, int64_t to, const Stacks& stacks);
  Room RoomLeft();
  bool DropOldest(int64_t now);

  Database& database_;
  Retention retention_;
  Statement next_, last_, frame_;
  std::vector<Statement> deletes_, drops_;
  Statement read_steps_, delete_steps_, add_step_, read_stacks_, delete_stacks_, add_stack_,
      thin_probes_;
  Merger merger_;
  IdleTimes idle_times_;
  std::vector<std::unique_ptr<Level>> levels_;
  double haste_ = 1;  // divides what is kept at full rate, while the file is too large
};

}  // namespace gpusight::record
