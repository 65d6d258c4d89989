// SPDX-License-Identifier: Apache-2.0
// Gives every device, process, container and stack of a frame its number in the recording, and
// writes what does not change with time: once, and again when more became known. Next: encoder.h.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/database.h"
#include "record/wide_table.h"

namespace gpusight::record {

class Identities {
 public:
  Identities(Database& database, AbsenceTable& absences);

  // Replaces `ids` by those of the frame. False on an error.
  bool Resolve(const Frame& frame, int64_t t, FrameIds& ids);
  // The number of a stack.
  bool Stack(const std::string& text, int64_t& id);
  // 0 when that device was never seen.
  int64_t FindDevice(const std::string& uuid) const;
  // After a transaction was taken back.
  void Forget();

 private:
  struct ProcessState {
    int64_t id = 0;
    ProcessSample written;      // the identity only
    int64_t container = 0;      //
    int64_t seen = 0;           // t
    FrameworkSample framework;  // the identity only
    bool has_framework = false;
  };
  using ProcessKey = std::pair<int, uint64_t>;

  bool ResolveDevice(const DeviceInfo& info, int64_t& id);
  bool ResolveContainer(const ContainerSample& container, int64_t& id);
  bool ResolveProcess(const ProcessSample& process, int64_t container, int64_t t, int64_t& id);
  bool ResolveFramework(const FrameworkSample& framework, int64_t t, int64_t& id);
  bool WriteProcess(const ProcessSample& process, ProcessState& state, int64_t t, bool fresh);
  bool EndProcesses(int64_t t);
  int64_t Look(Statement& find);

  Database& database_;
  AbsenceTable& absences_;
  Statement find_device_, add_device_, find_container_, add_container_, find_process_, add_process_,
      end_process_, add_framework_, add_stack_;
  std::map<std::string, std::pair<int64_t, DeviceInfo>> devices_;
  std::map<std::string, std::pair<int64_t, std::string>> containers_;  // path -> id, what is known
  std::map<ProcessKey, ProcessState> processes_;
  std::unordered_map<std::string, int64_t> stacks_;
};

}  // namespace gpusight::record
