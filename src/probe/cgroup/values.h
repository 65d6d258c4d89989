// SPDX-License-Identifier: Apache-2.0
// The small files of a control group, of cgroup v1 and v2. Pure parsers. Next: containers.h, which
// knows where each of them lies.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpusight::cgroup {

// "max" or a number of bytes, pids…; unlimited when v1 writes its largest number.
struct Limit {
  bool unlimited = false;
  double value = 0;
};
[[nodiscard]] std::optional<Limit> ParseLimit(std::string_view text);

// cpu.max: "200000 100000" -> 2 cores; "max 100000" -> unlimited.
[[nodiscard]] std::optional<Limit> ParseCpuMax(std::string_view text);

// cpu.cfs_quota_us (-1 is unlimited) and the text of cpu.cfs_period_us of v1.
[[nodiscard]] std::optional<Limit> ParseCpuQuota(int64_t quota_us, std::string_view period);

// The number after `key` in a file of "key number" lines (cpu.stat, memory.events, memory.stat).
[[nodiscard]] std::optional<uint64_t> ParseKey(std::string_view text, std::string_view key);

// A file that is one number.
[[nodiscard]] std::optional<uint64_t> ParseCount(std::string_view text);

// How many CPUs a list such as "0-3,8,10-11" names; nullopt when it is malformed. An empty list
// names none.
[[nodiscard]] std::optional<int> CountCpuList(std::string_view text);

}  // namespace gpusight::cgroup
