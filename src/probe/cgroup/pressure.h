// SPDX-License-Identifier: Apache-2.0
// PSI, the kernel's pressure stall information: /proc/pressure/{cpu,memory,io} and the files
// <resource>.pressure of a control group. Next: cgroup_path.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpusight::cgroup {

struct Stall {
  double average10 = 0;  // share of the last 10 s, 0-1
  double average60 = 0;
  double average300 = 0;
  uint64_t total_us = 0;
};

struct Pressure {
  Stall some;                 // at least one task waited
  std::optional<Stall> full;  // all waited; /proc/pressure/cpu lacked the line before Linux 5.13
};

// nullopt when there is no whole "some" line.
[[nodiscard]] std::optional<Pressure> ParsePressure(std::string_view text);

}  // namespace gpusight::cgroup
