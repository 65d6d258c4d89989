// SPDX-License-Identifier: Apache-2.0
// The files of /proc/<pid> that are read at every frame: stat, status, statm, io. Pure parsers that
// allocate nothing. Next: proc_text.h (command line, environment), process_table.h (who reads).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gpusight::host {

// /proc/<pid>/stat, and the same for a thread below task/.
struct ProcStat {
  int pid = 0;
  std::string_view comm;  // into the text; any bytes, also ") R ("
  char state = '?';
  int parent = 0;
  int session = 0;
  uint64_t minor_faults = 0;
  uint64_t major_faults = 0;
  uint64_t user_ticks = 0;
  uint64_t system_ticks = 0;
  int threads = 0;
  uint64_t start_ticks = 0;  // after boot
  uint64_t resident_pages = 0;
  int exit_signal = 0;          // what its parent gets at its end; -1 for a thread
  uint64_t block_io_ticks = 0;  // 0 as well when the kernel does not account delays
};
[[nodiscard]] std::optional<ProcStat> ParseProcStat(std::string_view text);

// /proc/<pid>/status. What the kernel or a thread of it lacks stays nullopt.
struct ProcStatus {
  uint32_t real_uid = 0;
  uint32_t saved_uid = 0;
  std::optional<uint64_t> resident_bytes, anonymous_bytes, file_bytes, shared_bytes, swapped_bytes;
  std::optional<int> allowed_cpus;                                   // of the main thread
  std::optional<uint64_t> voluntary_switches, involuntary_switches;  // of that thread alone
  // Its number in each PID namespace, outermost (that of the /proc read) first.
  std::span<const int> namespace_pids() const { return {pids_.data(), pid_count_}; }

  static constexpr size_t kDeepest = 33;  // the kernel nests 32 below the first
  std::array<int, kDeepest> pids_{};
  size_t pid_count_ = 0;
};
// nullopt when the Uid line is missing.
[[nodiscard]] std::optional<ProcStatus> ParseProcStatus(std::string_view text);

// /proc/<pid>/statm: a sixth of the cost of status.
struct ProcStatm {
  uint64_t resident_pages = 0;
  uint64_t shared_pages = 0;  // files and shared memory; the rest is anonymous
};
[[nodiscard]] std::optional<ProcStatm> ParseProcStatm(std::string_view text);

// /proc/<pid>/io.
struct ProcIo {
  uint64_t call_read_bytes = 0;     // rchar
  uint64_t call_written_bytes = 0;  // wchar
  uint64_t read_calls = 0;          // syscr
  uint64_t write_calls = 0;         // syscw
  uint64_t read_bytes = 0;          // from storage
  uint64_t written_bytes = 0;       // to storage, less what was taken back before it got there
};
[[nodiscard]] std::optional<ProcIo> ParseProcIo(std::string_view text);

}  // namespace gpusight::host
