// SPDX-License-Identifier: Apache-2.0
// The machine's files: /proc/stat, meminfo, loadavg, uptime, diskstats, net/dev. Pure parsers that
// allocate nothing. Next: machine.h (who reads them).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpusight::host {

// /proc/stat: the sum line, the number of CPU lines, and the boot time.
struct SystemStat {
  uint64_t busy_ticks = 0;    // user, nice, system, irq, softirq, steal (guests are within user)
  uint64_t iowait_ticks = 0;  //
  int cpus = 0;               // online
  uint64_t boot_time = 0;     // seconds since 1970; 0 when not said
};
[[nodiscard]] std::optional<SystemStat> ParseSystemStat(std::string_view text);

// /proc/meminfo, in bytes.
struct MemoryInfo {
  uint64_t total = 0, available = 0, swap_total = 0, swap_free = 0, shared = 0;
};
[[nodiscard]] std::optional<MemoryInfo> ParseMemoryInfo(std::string_view text);

// /proc/loadavg. `last_pid` is the number given last in our PID namespace: while it stands still,
// no process was started.
struct LoadAverage {
  double one_minute = 0;
  int last_pid = 0;
};
[[nodiscard]] std::optional<LoadAverage> ParseLoadAverage(std::string_view text);

// /proc/uptime: seconds since boot.
[[nodiscard]] std::optional<double> ParseUptime(std::string_view text);

// One line of /proc/diskstats.
struct DiskLine {
  std::string_view name;
  uint64_t read_bytes = 0;
  uint64_t written_bytes = 0;
  uint64_t busy_ms = 0;  // time with at least one request under way
};
[[nodiscard]] std::optional<DiskLine> ParseDiskLine(std::string_view line);

// Whether the device is real storage, so that sums count every byte once: no partition (the line
// before it names its disk), no loop, RAM, mapper, RAID or optical device.
[[nodiscard]] bool IsWholeDisk(std::string_view name, std::string_view disk_before);

// One line of /proc/net/dev (not its two head lines).
struct NetworkLine {
  std::string_view name;
  uint64_t received_bytes = 0;
  uint64_t sent_bytes = 0;
};
[[nodiscard]] std::optional<NetworkLine> ParseNetworkLine(std::string_view line);

}  // namespace gpusight::host
