// SPDX-License-Identifier: Apache-2.0
// The frameworks: finds the telemetry pages of processes and reads them into frame.frameworks. A
// page lies in a folder that we were told of (a job's own), or below the root of a process on a
// device or, without such a folder, of the job's, where agent.h puts it. Runs after the card's and
// the host's probe. Next: page_reader.h for one page.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "model/frame.h"
#include "probe/page/page_reader.h"

namespace gpusight::page {

struct ProbeOptions {
  std::vector<std::string> folders;  // every page in them is read, whoever wrote it
  bool of_processes = true;          // also those of the processes in the frame
};

// Not thread-safe: one caller. All references must outlive it.
class Probe {
 public:
  Probe(ProbeOptions options, const Clock& clock, const Root& root, Log& log);

  // Fills frame.frameworks and, if it has anything to read, an entry in frame.probes.
  void Sample(Frame& frame);

 private:
  struct Open {
    PageReader reader;
    FrameworkSample last = {};  // what stands until it is told anew
    bool gone = false;          // its process was not in the frame before
    uint64_t inode = 0;         // of a page in a folder
  };
  struct Search {  // for the page of a process
    uint64_t start_ticks = 0;
    uint64_t next = 0;  // sequence of the frame in which to look again
    uint64_t seen = 0;  // and of the one that listed the process last
  };

  void LookInFolders();
  void LookInProcess(const ProcessSample& process, uint64_t sequence);
  bool TryOpen(const std::string& key, UniqueFd file, const ProcessSample* process);
  // False: its process is not in the frame.
  bool Place(const Frame& frame, FrameworkSample& sample) const;

  ProbeOptions options_;
  const Clock& clock_;
  const Root& root_;
  Log& log_;
  std::map<std::string, Open> open_;  // by path; "/proc/<pid>" for one found in a process
  std::set<std::string> refused_;     // paths that are no page of ours
  std::map<int, Search> searched_;    // by pid
  uint64_t failures_ = 0, calls_ = 0;
};

}  // namespace gpusight::page
