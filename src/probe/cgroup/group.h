// SPDX-License-Identifier: Apache-2.0
// One control group: its folders, its limits (also those of the groups above it) and the files
// that are read at every frame. Next: containers.h, which owns one for each distinct group.
#pragma once

#include <array>
#include <bitset>
#include <string>

#include "base/kept_file.h"
#include "model/frame.h"
#include "probe/cgroup/cgroup_path.h"
#include "probe/cgroup/hierarchy.h"
#include "probe/cgroup/values.h"

namespace gpusight::cgroup {

class Group {
 public:
  // `membership` holds the group's own paths. `keep`: hold files open between reads.
  Group(const Root& root, const Hierarchy& hierarchy, const Membership& membership, bool keep);

  // Finds the tightest limits on the way up to the topmost folder that we can see. Slow lane.
  void ReadLimits(ReadBuffer& buffer);

  // Reads what changes. `fields` must be the same object each time: limits stay in it.
  void Read(ReadBuffer& buffer, bool whole, FieldSet<ContainerField>& fields);

  uint64_t reads() const { return reads_; }

 private:
  enum File : uint8_t {
    kCpuStat,
    kCpuUsage,
    kThrottle,
    kMemoryCurrent,
    kMemoryPeak,
    kMemorySwap,
    kMemoryEvents,
    kPidsCurrent,
    kCpuPressure,
    kMemoryPressure,
    kIoPressure,
    kFiles
  };

  // Reads one of the files; 0 or errno.
  int Get(File file, Controller controller, const char* name, ReadBuffer& buffer);
  Missing Why(int error_number, Controller controller) const;
  void ReadCpu(ReadBuffer& buffer, FieldSet<ContainerField>& fields);
  void ReadMemory(ReadBuffer& buffer, bool whole, FieldSet<ContainerField>& fields);
  void ReadPressure(ReadBuffer& buffer, FieldSet<ContainerField>& fields);
  template <typename Visit>
  void Climb(Controller controller, Visit visit) const;

  const Root& root_;
  const Hierarchy& hierarchy_;
  bool keep_;
  std::array<std::string, kControllers> folders_;  // empty: not visible
  std::array<UniqueFd, kControllers> open_folders_;
  std::bitset<kFiles> absent_;  // until limits are looked for again
  UniqueFd throttle_folder_;    // of the group whose CPU quota is the tightest
  std::array<KeptFile, kFiles> files_;
  FieldSet<ContainerField> limits_;
  std::string path_;
  uint64_t reads_ = 0;
};

}  // namespace gpusight::cgroup
