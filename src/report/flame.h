// SPDX-License-Identifier: Apache-2.0
// Stacks as a tree for a flame graph: each frame once below its caller, with the seconds that it
// and all below it took. Small branches are cut so that a page stays a page. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnose/idle_attribution.h"

namespace gpusight::report {

using diagnose::StackTime;

// Nodes in the order in which they are drawn: a parent before its children, which follow the most
// first. The first is the root, whose name is empty.
struct FlameNode {
  std::string name;
  int depth = 0;
  double idle = 0, busy = 0;  // with all below it
};

// Branches below `least` of all idle time are left out.
[[nodiscard]] std::vector<FlameNode> FlameOf(const std::vector<StackTime>& stacks,
                                             double least = 0.002, size_t most_nodes = 3000);

}  // namespace gpusight::report
