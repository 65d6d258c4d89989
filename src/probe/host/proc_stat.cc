// SPDX-License-Identifier: Apache-2.0
#include "probe/host/proc_stat.h"

#include <cstring>

#include "base/text.h"
#include "probe/cgroup/values.h"

namespace gpusight::host {
namespace {

// "   1776 kB" -> bytes
std::optional<uint64_t> Kilobytes(std::string_view rest) {
  const auto word = NextWord(rest);
  if (!word) return std::nullopt;
  const auto number = ParseNumber<uint64_t>(*word);
  if (!number || *number > UINT64_MAX / 1024) return std::nullopt;
  return *number * 1024;
}

}  // namespace

std::optional<ProcStat> ParseProcStat(std::string_view text) {
  // The name stands in parentheses and may hold any byte, also a closing one: the last closes it.
  const size_t open = text.find('(');
  // memrchr(): rfind() looks at each byte by itself.
  const void* const last = text.empty() ? nullptr : memrchr(text.data(), ')', text.size());
  if (open == std::string_view::npos || last == nullptr) return std::nullopt;
  const auto close = static_cast<size_t>(static_cast<const char*>(last) - text.data());
  if (close < open) return std::nullopt;
  ProcStat stat;
  const auto pid = ParseNumber<int>(Trim(text.substr(0, open)));
  if (!pid) return std::nullopt;
  stat.pid = *pid;
  stat.comm = text.substr(open + 1, close - open - 1);
  std::string_view rest = text.substr(close + 1);
  const auto state = NextWord(rest);
  if (!state || state->size() != 1) return std::nullopt;
  stat.state = state->front();

  // Fields 4 to 42; numbered as in proc(5). Most are passed over, so words are cut out by hand:
  // this is read of every process at every frame.
  const char* at = rest.data();
  const char* const end = at + rest.size();
  for (int field = 4; field <= 42; ++field) {
    while (at != end && (*at == ' ' || *at == '\t')) ++at;
    const char* const begin = at;
    while (at != end && static_cast<unsigned char>(*at) > ' ') ++at;
    if (at == begin) return std::nullopt;
    const std::string_view word(begin, static_cast<size_t>(at - begin));
    const auto put = [&](auto& to) {
      const auto number = ParseNumber<std::remove_reference_t<decltype(to)>>(word);
      if (!number) return false;
      to = *number;
      return true;
    };
    bool good = true;
    switch (field) {
      case 4:
        good = put(stat.parent);
        break;
      case 6:
        good = put(stat.session);
        break;
      case 10:
        good = put(stat.minor_faults);
        break;
      case 12:
        good = put(stat.major_faults);
        break;
      case 14:
        good = put(stat.user_ticks);
        break;
      case 15:
        good = put(stat.system_ticks);
        break;
      case 20:
        good = put(stat.threads);
        break;
      case 22:
        good = put(stat.start_ticks);
        break;
      case 24: {
        // Per-CPU counters can make a small sum negative for a moment.
        int64_t pages = 0;
        good = put(pages);
        stat.resident_pages = pages > 0 ? static_cast<uint64_t>(pages) : 0;
        break;
      }
      case 38:
        good = put(stat.exit_signal);
        break;
      case 42:
        good = put(stat.block_io_ticks);
        break;
      default:
        break;
    }
    if (!good) return std::nullopt;
  }
  return stat;
}

std::optional<ProcStatus> ParseProcStatus(std::string_view text) {
  ProcStatus status;
  bool has_uid = false;
  while (const auto line = NextLine(text)) {
    // Of sixty lines a dozen are of interest; their first letters tell the others quickly.
    if (line->empty() || std::string_view("UNVRCvn").find(line->front()) == line->npos) continue;
    const size_t colon = line->find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = line->substr(0, colon);
    std::string_view rest = line->substr(colon + 1);
    if (key == "Uid") {
      const auto real = NextWord(rest);
      const auto effective = NextWord(rest);
      const auto saved = NextWord(rest);
      if (!real || !effective || !saved) return std::nullopt;
      const auto real_number = ParseNumber<uint32_t>(*real);
      const auto saved_number = ParseNumber<uint32_t>(*saved);
      if (!real_number || !saved_number) return std::nullopt;
      status.real_uid = *real_number;
      status.saved_uid = *saved_number;
      has_uid = true;
    } else if (key == "NSpid") {
      while (const auto word = NextWord(rest)) {
        const auto number = ParseNumber<int>(*word);
        if (!number || status.pid_count_ == ProcStatus::kDeepest) break;
        status.pids_[status.pid_count_++] = *number;
      }
    } else if (key == "VmRSS") {
      status.resident_bytes = Kilobytes(rest);
    } else if (key == "RssAnon") {
      status.anonymous_bytes = Kilobytes(rest);
    } else if (key == "RssFile") {
      status.file_bytes = Kilobytes(rest);
    } else if (key == "RssShmem") {
      status.shared_bytes = Kilobytes(rest);
    } else if (key == "VmSwap") {
      status.swapped_bytes = Kilobytes(rest);
    } else if (key == "Cpus_allowed_list") {
      status.allowed_cpus = cgroup::CountCpuList(rest);
    } else if (key == "voluntary_ctxt_switches") {
      status.voluntary_switches = ParseNumber<uint64_t>(Trim(rest));
    } else if (key == "nonvoluntary_ctxt_switches") {
      status.involuntary_switches = ParseNumber<uint64_t>(Trim(rest));
    }
  }
  if (!has_uid) return std::nullopt;
  return status;
}

std::optional<ProcStatm> ParseProcStatm(std::string_view text) {
  std::string_view rest = Trim(text);
  const auto size = NextWord(rest);
  const auto resident = NextWord(rest);
  const auto shared = NextWord(rest);
  if (!size || !resident || !shared) return std::nullopt;
  const auto resident_pages = ParseNumber<uint64_t>(*resident);
  const auto shared_pages = ParseNumber<uint64_t>(*shared);
  if (!resident_pages || !shared_pages) return std::nullopt;
  return ProcStatm{*resident_pages, *shared_pages};
}

std::optional<ProcIo> ParseProcIo(std::string_view text) {
  ProcIo io;
  uint64_t cancelled = 0;
  struct Row {
    std::string_view key;
    uint64_t* to;
  };
  const Row rows[] = {{"rchar", &io.call_read_bytes},
                      {"wchar", &io.call_written_bytes},
                      {"syscr", &io.read_calls},
                      {"syscw", &io.write_calls},
                      {"read_bytes", &io.read_bytes},
                      {"write_bytes", &io.written_bytes},
                      {"cancelled_write_bytes", &cancelled}};
  size_t seen = 0;
  while (const auto line = NextLine(text)) {
    const size_t colon = line->find(':');
    if (colon == std::string_view::npos) continue;
    for (const Row& row : rows) {
      if (line->substr(0, colon) != row.key) continue;
      const auto number = ParseNumber<uint64_t>(Trim(line->substr(colon + 1)));
      if (!number) return std::nullopt;
      *row.to = *number;
      ++seen;
    }
  }
  if (seen < std::size(rows)) return std::nullopt;
  io.written_bytes -= cancelled < io.written_bytes ? cancelled : io.written_bytes;
  return io;
}

}  // namespace gpusight::host
