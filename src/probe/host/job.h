// SPDX-License-Identifier: Apache-2.0
// Which processes belong to a job: what the command started, what those started, and what left the
// family since (a daemon's parent is init). Membership is kept for as long as a process lives; each
// other process is judged once, when it is first seen. Next: tree.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "probe/host/proc_folder.h"
#include "probe/host/tree.h"

namespace gpusight::host {

// The variable by which a process shows to which run it belongs, whoever its parent is.
inline constexpr std::string_view kRunVariable = "GPUSIGHT_RUN_ID";

struct JobOptions {
  int root = 0;                 // the command's first process; 0: there is no job
  uint64_t earliest_ticks = 0;  // nothing of the job began before (clock ticks after boot)
  std::string run_id;           // value of kRunVariable; empty: the job has none
  bool everything = false;      // all processes of this PID namespace but `without`
  std::vector<int> without;     // never of the job: our own
};

class Job {
 public:
  // Both must outlive it.
  Job(const JobOptions& options, ProcFolder& proc) : options_(options), proc_(proc) {}

  [[nodiscard]] bool wanted() const { return options_.root != 0; }

  // Judges what is new in the tree and forgets what ended.
  void Update(const Tree& tree);

  // That number now means another process, which is judged anew.
  void Forget(int pid);

  // By pid.
  [[nodiscard]] const std::vector<int>& members() const { return members_; }
  [[nodiscard]] bool Has(int pid) const;

 private:
  enum class Verdict : uint8_t { kUnknown, kMember, kStranger };
  struct Judged {
    int pid = 0;
    Verdict verdict = Verdict::kUnknown;
    bool seen = false;
  };
  Judged* Find(int pid);
  Verdict Judge(const Tree::Node& node);
  bool LedByMember(int session);
  bool CarriesTheVariable(int pid);

  const JobOptions& options_;
  ProcFolder& proc_;
  ReadBuffer buffer_;
  std::vector<Judged> judged_;  // by pid
  std::vector<int> members_;
  std::vector<int> former_;  // members that ended: a session keeps the number of its leader
  std::vector<Judged*> path_;
  bool forgot_ = false;
};

}  // namespace gpusight::host
