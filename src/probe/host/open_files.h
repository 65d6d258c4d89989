// SPDX-License-Identifier: Apache-2.0
// What a process holds open: how many files, whether a device node of the driver, and on which
// file systems. Needs the right to look into the process; where it lacks, the answer says so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/known.h"
#include "probe/cgroup/mountinfo.h"
#include "probe/host/proc_folder.h"
#include "probe/host/process_entry.h"

namespace gpusight::host {

// Whether the target of a descriptor is a GPU's device node: /dev/nvidia0, /dev/nvidiactl,
// /dev/nvidia-uvm, /dev/dxg (WSL2), /dev/nvhost-… and /dev/nvgpu/… (Jetson).
[[nodiscard]] bool IsDeviceNode(std::string_view target);

// The number in "pid:[4026531836]"; 0 when it is no such text.
[[nodiscard]] uint64_t ParseNamespaceLink(std::string_view target);

// The mount that holds `path`: the last one among those with the longest mount point above it.
// nullptr when there is none.
[[nodiscard]] const cgroup::Mount* MountOf(const std::vector<cgroup::Mount>& mounts,
                                           std::string_view path);

class OpenFiles {
 public:
  explicit OpenFiles(ProcFolder& proc) : proc_(proc) {}

  [[nodiscard]] HoldsDevice FindDeviceNode(int pid);
  [[nodiscard]] Known<double> Count(int pid);

  // The file systems of its open files as "type mount-point", those over a network first.
  void ListMounts(int pid, std::vector<std::string>& out);

  // Mounts may have changed.
  void ForgetMounts() { mounts_.clear(); }

  // The inode that names a namespace ("pid", "mnt") of the process.
  [[nodiscard]] Known<uint64_t> NamespaceOf(int pid, const char* kind);

 private:
  std::string_view LinkOf(const char* path);
  const std::vector<cgroup::Mount>& MountsOf(int pid);

  ProcFolder& proc_;
  ReadBuffer buffer_;
  std::vector<int> descriptors_;
  std::string link_;
  // By mount namespace: the processes of a container share one list. Cleared when it grows.
  std::unordered_map<uint64_t, std::vector<cgroup::Mount>> mounts_;
};

}  // namespace gpusight::host
