// SPDX-License-Identifier: Apache-2.0
// /proc/<pid>/mountinfo: what is mounted where, for a process. Used to find the control groups, to
// name the file systems of open files, and to tell which container a mount list belongs to.
// Next: hierarchy.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpusight::cgroup {

struct Mount {
  int id = 0;
  std::string root;         // the folder of the file system that is mounted
  std::string mount_point;  // where
  std::string type;         // "nfs4", "ext4", "fuse.sshfs", "cgroup2"
  std::string source;       // "server:/export", "/dev/nvme0n1p2"
  std::string options;      // the file system's own: "rw,cpu,cpuacct"
};

// One line; nullopt when it is not whole. The kernel's octal escapes (\040 for a space) are undone.
[[nodiscard]] std::optional<Mount> ParseMountLine(std::string_view line);

// All whole lines, in the file's order (later mounts hide earlier ones at the same place).
[[nodiscard]] std::vector<Mount> ParseMountInfo(std::string_view text);

// The size of /dev/shm by its mount's options ("size=24684084k"); nullopt when it has none.
[[nodiscard]] std::optional<uint64_t> ShmSize(std::string_view mountinfo);

}  // namespace gpusight::cgroup
