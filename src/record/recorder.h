// SPDX-License-Identifier: Apache-2.0
// The file side of a Writer, without threads: opens the database, and puts a batch into it as one
// transaction or not at all. Next: encoder.h and rollup.h.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "record/encoder.h"
#include "record/rollup.h"
#include "record/writer.h"

namespace gpusight::record {

// What is to be written.
struct Batch {
  std::deque<std::unique_ptr<Frame>> frames;
  std::deque<OutputPiece> output;
  std::vector<Finding> findings;
  Pairs versions;
  std::optional<RunEnd> end;
  uint64_t lost = 0;  // frames, since the beginning
};

class Recorder {
 public:
  // The file must be there, and empty.
  Recorder(std::string path, const RunFacts& facts, const WriterOptions& options,
           const Clock& clock, bool locks);
  ~Recorder();

  // False: nothing of the batch is in the file; try again later. `last`: leave nothing beside it.
  bool Write(const Batch& batch, bool last);
  Trouble trouble() const { return trouble_; }
  const std::string& error() const { return error_; }
  uint64_t file_bytes() const { return file_bytes_; }

 private:
  bool Begin();
  bool Open();
  bool WriteAll(const Batch& batch);
  bool WriteRun();
  bool WriteEnd(const Batch& batch);
  bool WriteOutput(const Batch& batch);
  bool WriteFindings(const Batch& batch);
  bool Commit();
  bool GiveUp();
  int64_t TimeOf(const Frame& frame);

  const std::string path_;
  const RunFacts facts_;
  const WriterOptions options_;
  const bool locks_;
  const WallTime start_;
  const MonoTime origin_;

  std::optional<Database> database_;
  bool has_schema_ = false;
  std::unique_ptr<Encoder> encoder_;
  std::unique_ptr<Rollup> rollup_;
  int64_t t_ = -1, t_written_ = -1;
  int64_t versions_ = 0, versions_written_ = 0;
  uint64_t lost_written_ = 0;
  Trouble trouble_ = Trouble::kNone;
  std::string error_;
  uint64_t file_bytes_ = 0;
};

}  // namespace gpusight::record
