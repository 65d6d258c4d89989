// SPDX-License-Identifier: Apache-2.0
#include "probe/host/threads.h"

#include <unistd.h>

#include <algorithm>

#include "probe/host/proc_stat.h"

namespace gpusight::host {
namespace {

using F = ProcessField;

}  // namespace

ThreadReader::ThreadReader(ProcFolder& proc, const Clock& clock)
    : proc_(proc), clock_(clock), ticks_per_second_(static_cast<double>(sysconf(_SC_CLK_TCK))) {}

void ThreadReader::Read(ProcessEntry& entry) {
  auto& fields = entry.sample.fields;
  const int pid = entry.sample.pid;
  ++proc_.reads;
  const int error = ListNumbers(proc_.folder.get(), ShortPath(pid, "/task").c_str(), tids_);
  if (error != 0) {
    entry.sample.threads.clear();
    for (const F field :
         {F::kRunningThreads, F::kBlockedThreads, F::kVoluntarySwitches, F::kInvoluntarySwitches}) {
      fields[field] = WhyProcess(error);
    }
    return;
  }
  // Entries in the order of tids_: known ones keep their place, new ones come in between.
  for (ThreadEntry& thread : entry.threads) thread.seen = false;
  const size_t known = entry.threads.size();
  size_t at = 0;
  for (const int tid : tids_) {
    while (at < known && entry.threads[at].tid < tid) ++at;
    if (at < known && entry.threads[at].tid == tid) {
      entry.threads[at].seen = true;
    } else {
      ThreadEntry fresh;
      fresh.tid = tid;
      fresh.seen = true;
      entry.threads.push_back(fresh);
    }
  }
  for (const ThreadEntry& thread : entry.threads) {
    if (thread.seen) continue;
    entry.ended_voluntary += thread.voluntary;
    entry.ended_involuntary += thread.involuntary;
  }
  std::erase_if(entry.threads, [](const ThreadEntry& thread) { return !thread.seen; });
  std::sort(entry.threads.begin(), entry.threads.end(),
            [](const ThreadEntry& a, const ThreadEntry& b) { return a.tid < b.tid; });

  auto& out = entry.sample.threads;
  size_t count = 0;
  double running = 0;
  double blocked = 0;
  for (ThreadEntry& thread : entry.threads) {
    ++proc_.reads;
    const int failed = buffer_.ReadOnce(
        proc_.folder.get(), ShortPath(pid, "/task/", thread.tid, "/stat").c_str(), Pieces::kOne);
    const auto stat = failed == 0 ? ParseProcStat(buffer_.text()) : std::nullopt;
    if (!stat) continue;  // it ended since the list was made
    const MonoTime now = clock_.Mono();
    const bool same = thread.start_ticks == stat->start_ticks;
    const uint64_t ticks = stat->user_ticks + stat->system_ticks;
    if (count == out.size()) out.emplace_back();
    ThreadSample& sample = out[count++];
    sample.tid = thread.tid;
    sample.name = stat->comm;
    sample.state = stat->state;
    sample.cpu_cores = Absence::kNotSampledYet;
    const double elapsed = static_cast<double>(now - thread.read_at) * 1e-9;
    if (same && elapsed > 0 && ticks >= thread.cpu_ticks) {
      sample.cpu_cores =
          static_cast<double>(ticks - thread.cpu_ticks) / ticks_per_second_ / elapsed;
    }
    thread.start_ticks = stat->start_ticks;
    thread.cpu_ticks = ticks;
    thread.read_at = now;
    running += stat->state == 'R' ? 1 : 0;
    blocked += stat->state == 'D' ? 1 : 0;
  }
  out.resize(count);
  fields[F::kRunningThreads] = running;
  fields[F::kBlockedThreads] = blocked;
  ReadSwitches(entry);
  std::sort(out.begin(), out.end(), [](const ThreadSample& a, const ThreadSample& b) {
    const double left = a.cpu_cores.value_or(0);
    const double right = b.cpu_cores.value_or(0);
    return left != right ? left > right : a.tid < b.tid;
  });
}

void ThreadReader::ReadSwitches(ProcessEntry& entry) {
  auto& fields = entry.sample.fields;
  const size_t total = entry.threads.size();
  bool all_known = total > 0;
  size_t budget = kStatusPerFrame;
  for (size_t i = 0; i < total; ++i) {
    ThreadEntry& thread = entry.threads[(entry.next_switches + i) % total];
    // At first all are read, so that the sum is whole from the start.
    if (thread.switches_known && budget == 0) continue;
    if (budget > 0) --budget;
    ++proc_.reads;
    const int error = buffer_.ReadOnce(
        proc_.folder.get(), ShortPath(entry.sample.pid, "/task/", thread.tid, "/status").c_str(),
        Pieces::kOne);
    const auto status = error == 0 ? ParseProcStatus(buffer_.text()) : std::nullopt;
    if (!status || !status->voluntary_switches || !status->involuntary_switches) {
      all_known = all_known && thread.switches_known;
      continue;
    }
    thread.voluntary = *status->voluntary_switches;
    thread.involuntary = *status->involuntary_switches;
    thread.switches_known = true;
  }
  entry.next_switches = total == 0 ? 0 : (entry.next_switches + kStatusPerFrame) % total;
  uint64_t voluntary = entry.ended_voluntary;
  uint64_t involuntary = entry.ended_involuntary;
  for (const ThreadEntry& thread : entry.threads) {
    voluntary += thread.voluntary;
    involuntary += thread.involuntary;
  }
  if (all_known) {
    fields[F::kVoluntarySwitches] = static_cast<double>(voluntary);
    fields[F::kInvoluntarySwitches] = static_cast<double>(involuntary);
  } else {
    fields[F::kVoluntarySwitches] = Absence::kIncomplete;
    fields[F::kInvoluntarySwitches] = Absence::kIncomplete;
  }
}

}  // namespace gpusight::host
