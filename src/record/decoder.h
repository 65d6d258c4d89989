// SPDX-License-Identifier: Apache-2.0
// Turns the rows of a recording back into frames, one after the other. Used by the reader, and by
// the writer when it merges old frames, which then needs the numbers only. The mirror of encoder.h.
#pragma once

#include <memory>
#include <vector>

#include "record/database.h"
#include "record/identity_reader.h"
#include "record/wide_reader.h"

namespace gpusight::record {

class Decoder {
 public:
  enum class Depth : uint8_t { kNumbers, kAll };
  Decoder(Database& database, Depth depth);

  // Replaces `frame` by the next one. False: there is none, or an error (failed()).
  bool Next(Frame& frame);
  // The next frame is the first after `t`.
  bool SeekAfter(int64_t t);
  bool failed() const { return failed_; }
  // Why it failed.
  Trouble trouble() const { return trouble_; }
  const std::string& error() const { return error_; }

  // Of the last frame.
  int64_t t() const { return t_; }
  int64_t merged() const { return merged_; }
  const FrameIds& ids() const { return ids_; }
  std::span<const Missing> ReasonsOf(Scope scope, Key key) const {
    return readers_[static_cast<size_t>(scope)].ReasonsOf(key);
  }
  IdentityReader& identities() { return identities_; }

 private:
  bool Advance(int64_t to);
  void ReadMachine(int64_t from, int64_t to);
  void ReadDevices(Frame& frame);
  void ReadProcesses(Frame& frame);
  void ReadUses(Frame& frame);
  void ReadContainers(Frame& frame);
  void ReadFrameworks(Frame& frame);
  void ReadSamples(Frame& frame);
  void ReadEvents(Frame& frame, int64_t from);
  void ReadSteps(Frame& frame, int64_t from);
  void ReadStacks(Frame& frame, int64_t from);
  void ReadMarks(Frame& frame, int64_t from);
  void ReadProbes(Frame& frame, int64_t from);
  FrameworkSample* FrameworkOf(Frame& frame, int64_t process);
  WideReader& Of(Scope scope) { return readers_[static_cast<size_t>(scope)]; }
  void Check(const Statement& statement) { Demand(!statement.failed()); }
  void Demand(bool good);

  Database& database_;
  Depth depth_;
  IdentityReader identities_;
  std::vector<WideReader> readers_;
  Statement frame_, absence_, machine_, samples_, events_, steps_, stacks_, marks_, ooms_, probes_;
  int64_t t_ = INT64_MIN;
  int64_t merged_ = 1;
  uint64_t sequence_ = 0;
  bool failed_ = false;
  Trouble trouble_ = Trouble::kNone;
  std::string error_;
  FrameIds ids_;
  DriverInfo driver_;
  HostSample host_;  // texts
  std::vector<ProbeStats> last_probes_;
};

}  // namespace gpusight::record
