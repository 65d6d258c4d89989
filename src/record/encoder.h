// SPDX-License-Identifier: Apache-2.0
// Writes frames into the tables of a recording, within a transaction of the caller's. It remembers
// what it wrote, to write less; after a transaction was taken back it must Forget().
// Next: rollup.h, which merges what was written.
#pragma once

#include <memory>
#include <vector>

#include "record/happenings.h"
#include "record/identities.h"
#include "record/wide_table.h"

namespace gpusight::record {

// The tables of numbers of all scopes, as one series of frames knows them.
class WideTables {
 public:
  WideTables(Database& database, AbsenceTable& absences);
  WideTable& Of(Scope scope) { return tables_[static_cast<size_t>(scope)]; }
  bool EndFrame(int64_t t);
  void Forget();

 private:
  std::vector<WideTable> tables_;
};

class Encoder {
 public:
  // The tables must be there.
  explicit Encoder(Database& database);

  // `t` in ms, more than that of the frame before. False on an error.
  bool Write(const Frame& frame, int64_t t);
  void Forget();

 private:
  bool WriteMachine(const Frame& frame, int64_t t);
  bool WriteSamples(const Frame& frame, int64_t t);

  AbsenceTable absences_;
  Identities identities_;
  WideTables tables_;
  Happenings happenings_;
  Statement frame_, machine_, samples_;
  FrameIds ids_;
  std::string machine_written_;
};

}  // namespace gpusight::record
