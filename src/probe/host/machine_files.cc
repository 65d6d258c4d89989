// SPDX-License-Identifier: Apache-2.0
#include "probe/host/machine_files.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gpusight::host {
namespace {

bool AllDigits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<SystemStat> ParseSystemStat(std::string_view text) {
  SystemStat stat;
  bool has_sum = false;
  while (auto line = NextLine(text)) {
    const auto key = NextWord(*line);
    if (!key) continue;
    if (*key == "cpu") {
      // user nice system idle iowait irq softirq steal guest guest_nice; old kernels end earlier
      std::array<uint64_t, 8> ticks{};
      for (size_t i = 0; i < ticks.size(); ++i) {
        const auto word = NextWord(*line);
        if (!word) break;
        const auto number = ParseNumber<uint64_t>(*word);
        if (!number) return std::nullopt;
        ticks[i] = *number;
        has_sum = has_sum || i == 3;
      }
      stat.busy_ticks = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
      stat.iowait_ticks = ticks[4];
    } else if (key->starts_with("cpu") && AllDigits(key->substr(3))) {
      ++stat.cpus;
    } else if (*key == "btime") {
      stat.boot_time = ParseNumber<uint64_t>(Trim(*line)).value_or(0);
    }
  }
  if (!has_sum) return std::nullopt;
  return stat;
}

std::optional<MemoryInfo> ParseMemoryInfo(std::string_view text) {
  MemoryInfo info;
  uint64_t free = 0, buffers = 0, cached = 0;
  bool has_total = false, has_available = false;
  while (const auto line = NextLine(text)) {
    const size_t colon = line->find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = line->substr(0, colon);
    std::string_view rest = line->substr(colon + 1);
    const auto word = NextWord(rest);
    const auto number = word ? ParseNumber<uint64_t>(*word) : std::nullopt;
    if (!number || *number > UINT64_MAX / 1024) continue;
    const uint64_t bytes = *number * 1024;
    if (key == "MemTotal") info.total = bytes, has_total = true;
    if (key == "MemAvailable") info.available = bytes, has_available = true;
    if (key == "MemFree") free = bytes;
    if (key == "Buffers") buffers = bytes;
    if (key == "Cached") cached = bytes;
    if (key == "Shmem") info.shared = bytes;
    if (key == "SwapTotal") info.swap_total = bytes;
    if (key == "SwapFree") info.swap_free = bytes;
  }
  if (!has_total) return std::nullopt;
  // Kernels before 3.14, and some /proc of containers, lack the line.
  if (!has_available) info.available = std::min(info.total, free + buffers + cached);
  return info;
}

std::optional<LoadAverage> ParseLoadAverage(std::string_view text) {
  std::string_view rest = Trim(text);
  LoadAverage load;
  const auto first = NextWord(rest);
  const auto one = first ? ParseNumber<double>(*first) : std::nullopt;
  if (!one || !(*one >= 0)) return std::nullopt;
  load.one_minute = *one;
  const size_t blank = rest.rfind(' ');
  if (blank != std::string_view::npos) {
    load.last_pid = ParseNumber<int>(rest.substr(blank + 1)).value_or(0);
  }
  return load;
}

std::optional<double> ParseUptime(std::string_view text) {
  const auto word = NextWord(text);
  if (!word) return std::nullopt;
  const auto seconds = ParseNumber<double>(Trim(*word));
  if (!seconds || !(*seconds >= 0)) return std::nullopt;
  return seconds;
}

std::optional<DiskLine> ParseDiskLine(std::string_view line) {
  DiskLine disk;
  const auto major = NextWord(line);
  const auto minor = NextWord(line);
  const auto name = NextWord(line);
  if (!major || !minor || !name) return std::nullopt;
  disk.name = *name;
  // reads merged sectors ms writes merged sectors ms running busy_ms weighted_ms; newer kernels
  // add discards and flushes
  std::array<uint64_t, 10> numbers{};
  for (uint64_t& number : numbers) {
    const auto word = NextWord(line);
    const auto value = word ? ParseNumber<uint64_t>(*word) : std::nullopt;
    if (!value) return std::nullopt;
    number = *value;
  }
  constexpr uint64_t kSector = 512;  // whatever the device's own is
  disk.read_bytes = numbers[2] * kSector;
  disk.written_bytes = numbers[6] * kSector;
  disk.busy_ms = numbers[9];
  return disk;
}

bool IsWholeDisk(std::string_view name, std::string_view disk_before) {
  for (const std::string_view other : {"loop", "ram", "zram", "dm-", "md", "sr", "fd", "nullb"}) {
    if (name.starts_with(other) && (other == "dm-" || AllDigits(name.substr(other.size())))) {
      return false;
    }
  }
  // "nvme0c1n1": one path of a multipath disk that is listed as nvme0n1 too.
  if (name.starts_with("nvme")) {
    const size_t path = name.find('c', 4);
    if (path != std::string_view::npos && AllDigits(name.substr(4, path - 4))) return false;
  }
  if (disk_before.empty() || name.size() == disk_before.size() || !name.starts_with(disk_before)) {
    return true;
  }
  std::string_view rest = name.substr(disk_before.size());
  // mmcblk0boot0, mmcblk0rpmb: areas of the same chip
  if (name.starts_with("mmcblk") && !AllDigits(rest)) return false;
  // A disk whose name ends in a digit (nvme0n1) parts its partitions' numbers by a "p".
  if (AllDigits(disk_before.substr(disk_before.size() - 1))) {
    return rest.front() != 'p' || !AllDigits(rest.substr(1));
  }
  return !AllDigits(rest);
}

std::optional<NetworkLine> ParseNetworkLine(std::string_view line) {
  // "  eth0:106844851 2286 …": the kernel may leave no space after the colon. An alias such as
  // "eth0:1" was possible once, so the last colon divides.
  const size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  NetworkLine network;
  network.name = Trim(line.substr(0, colon));
  std::string_view rest = line.substr(colon + 1);
  for (int column = 0; column < 9; ++column) {
    const auto word = NextWord(rest);
    const auto number = word ? ParseNumber<uint64_t>(*word) : std::nullopt;
    if (!number) return std::nullopt;
    if (column == 0) network.received_bytes = *number;
    if (column == 8) network.sent_bytes = *number;
  }
  if (network.name.empty()) return std::nullopt;
  return network;
}

}  // namespace gpusight::host
