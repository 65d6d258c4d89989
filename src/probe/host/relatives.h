// SPDX-License-Identifier: Apache-2.0
// Who belongs to the jobs on the devices: everything below a process on a device, and the launcher
// above it. Next: roles.h.
#pragma once

#include <vector>

#include "probe/host/tree.h"

namespace gpusight::host {

class Relatives {
 public:
  // Adds to `out` the processes below `roots`, without them.
  void Find(const Tree& tree, const std::vector<int>& roots, std::vector<int>& out);

  static constexpr size_t kMost = 4096;

 private:
  enum class Mark : uint8_t { kUnknown, kBelow, kNot, kRoot };
  std::vector<Mark> marks_;
  std::vector<size_t> path_;
};

}  // namespace gpusight::host
