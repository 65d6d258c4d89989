// SPDX-License-Identifier: Apache-2.0
#include "report/process_tracks.h"

#include <algorithm>

#include "base/text.h"

namespace gpusight::report {
namespace {

constexpr size_t kMostProcesses = 2000;
constexpr size_t kLongestText = 1000;  // bytes

void Raise(Known<double>& most, const Known<double>& value) {
  if (!value) {
    if (!most) most = value;
  } else if (!most || *value > *most) {
    most = value;
  }
}

void Cap(Known<std::string>& text) {
  if (text && text->size() > kLongestText) text = Capped(*text, kLongestText);
}

// A sum in which what is missing is left out, but not when all is.
struct Sum {
  double value = 0;
  bool any = false;
  Missing missing{Absence::kNotApplicable, 0};
  void Add(const Known<double>& more) {
    if (more) {
      value += *more;
      any = true;
    } else {
      missing = more.missing();
    }
  }
  Known<double> get() const { return any ? Known<double>(value) : Known<double>(missing); }
};

Known<double> PerSecond(const Known<double>& amount, double seconds) {
  if (!amount) return amount;
  if (seconds <= 0) return Absence::kNotSampledYet;
  return *amount / seconds;
}

}  // namespace

ProcessTracks::ProcessTracks(const Grid& grid)
    : grid_(&grid), cpu_(grid), read_(grid), written_(grid) {}

int ProcessTracks::Find(ProcessKey key) {
  const auto found = numbers_.find(key);
  if (found != numbers_.end()) return found->second;
  if (tracks_.size() >= kMostProcesses) return -1;
  const auto number = static_cast<int>(tracks_.size());
  numbers_.emplace(key, number);
  tracks_.emplace_back();
  tracks_.back().report.identity.pid = key.first;
  tracks_.back().report.identity.start_ticks = key.second;
  return number;
}

void ProcessTracks::Add(Reach reach, const Frame& frame) {
  Sum cpu, read, written;
  // Where it is known which processes are the job's, only they count.
  const bool knows_job = std::any_of(frame.processes.begin(), frame.processes.end(),
                                     [](const ProcessSample& p) { return p.in_job; });
  for (const ProcessSample& process : frame.processes) {
    const int number = Find({process.pid, process.start_ticks});
    if (number < 0) {
      cut_ = true;
      continue;
    }
    Track& track = tracks_[static_cast<size_t>(number)];
    if (track.report.seen.begin.ns == 0) track.report.seen.begin = reach.end;
    track.report.seen.end = reach.end;
    AddOne(reach, process, track);
    const auto more_read = track.read.Since(process.fields[ProcessField::kReadBytes]);
    const auto more_written = track.written.Since(process.fields[ProcessField::kWrittenBytes]);
    if (knows_job && !process.in_job) continue;
    cpu.Add(process.fields[ProcessField::kCpu]);
    read.Add(more_read);
    written.Add(more_written);
  }
  for (const FrameworkSample& framework : frame.frameworks) {
    const int number = Find({framework.pid, framework.start_ticks});
    if (number >= 0) AddFramework(framework, tracks_[static_cast<size_t>(number)]);
  }
  if (frame.processes.empty()) return;
  cpu_.Add(reach, cpu.get());
  read_.Add(reach, PerSecond(read.get(), reach.seconds));
  written_.Add(reach, PerSecond(written.get(), reach.seconds));
}

void ProcessTracks::AddOne(Reach reach, const ProcessSample& process, Track& track) {
  ProcessSample& identity = track.report.identity;
  // The last word counts: a process has its final name only after exec.
  identity.parent = process.parent;
  identity.role = process.role;
  identity.in_job = process.in_job;
  identity.zombie = process.zombie;
  identity.rank = process.rank;
  identity.local_rank = process.local_rank;
  identity.world_size = process.world_size;
  identity.start_time = process.start_time;
  const auto take = [](Known<std::string>& kept, const Known<std::string>& now) {
    if (kept == now || (!now && kept)) return;
    kept = now;
    Cap(kept);
  };
  take(identity.user, process.user);
  take(identity.command, process.command);
  take(identity.command_line, process.command_line);
  take(identity.container, process.container);
  Sum memory;
  for (const GpuUse& use : process.uses) memory.Add(use.fields[UseField::kMemory]);
  if (!process.uses.empty()) Raise(track.report.memory_peak, memory.get());
  if (process.uses.empty() && !track.report.memory_peak) {
    track.report.memory_peak = Absence::kNotApplicable;
  }
  const auto& cpu = process.fields[ProcessField::kCpu];
  if (cpu) {
    track.cpu_sum += *cpu * reach.seconds;
    track.cpu_seconds += reach.seconds;
  } else {
    track.cpu_missing = cpu.missing();
  }
  Raise(track.report.cpu_most, cpu);
  Raise(track.report.resident_most, process.fields[ProcessField::kResident]);
  const auto& read = process.fields[ProcessField::kReadBytes];
  if (!read) track.io_missing = read.missing();
}

void ProcessTracks::AddFramework(const FrameworkSample& framework, Track& track) {
  FrameworkSample& kept = track.report.framework;
  kept.pid = framework.pid;
  kept.start_ticks = framework.start_ticks;
  kept.framework = framework.framework;
  kept.rank = framework.rank;
  kept.local_rank = framework.local_rank;
  kept.world_size = framework.world_size;
  kept.mixed_precision = framework.mixed_precision;
  kept.compiled = framework.compiled;
  const auto take = [](std::string& text, const std::string& now) {
    if (text != now && !now.empty()) text = Capped(now, kLongestText);
  };
  take(kept.version, framework.version);
  take(kept.python, framework.python);
  take(kept.script, framework.script);
  take(kept.dtype, framework.dtype);
  take(kept.settings, framework.settings);
  Sum retries, failed;
  for (const AllocatorSample& allocator : framework.allocators) {
    const auto& f = allocator.fields;
    Raise(track.report.allocated_peak, f[AllocatorField::kAllocatedPeak]
                                           ? f[AllocatorField::kAllocatedPeak]
                                           : f[AllocatorField::kAllocated]);
    Raise(track.report.reserved_peak, f[AllocatorField::kReservedPeak]
                                          ? f[AllocatorField::kReservedPeak]
                                          : f[AllocatorField::kReserved]);
    retries.Add(f[AllocatorField::kRetries]);
    failed.Add(f[AllocatorField::kOutOfMemory]);
  }
  if (framework.allocators.empty()) return;
  Raise(track.report.retries, retries.get());
  Raise(track.report.out_of_memory, failed.get());
}

void ProcessTracks::UsedDevice(int process, int device) {
  if (process < 0) return;
  auto& devices = tracks_[static_cast<size_t>(process)].report.devices;
  if (std::find(devices.begin(), devices.end(), device) == devices.end()) {
    devices.push_back(device);
  }
}

void ProcessTracks::AddStep(int process, const record::RecordedStep& step) {
  if (process < 0) return;
  auto& steps = tracks_[static_cast<size_t>(process)].steps;
  if (steps.empty()) steps.emplace_back(*grid_);
  steps.front().Add(step);
}

std::vector<ProcessReport> ProcessTracks::Take() {
  std::vector<ProcessReport> reports;
  reports.reserve(tracks_.size());
  for (Track& track : tracks_) {
    ProcessReport& report = track.report;
    report.cpu_mean = track.cpu_seconds > 0 ? Known<double>(track.cpu_sum / track.cpu_seconds)
                                            : Known<double>(track.cpu_missing);
    const auto total = [&](const Growth& growth) {
      return growth.known() ? Known<double>(growth.total()) : Known<double>(track.io_missing);
    };
    report.read_bytes = total(track.read);
    report.written_bytes = total(track.written);
    const Missing none{Absence::kNotApplicable, 0};
    if (report.framework.pid == 0) {
      report.allocated_peak = report.reserved_peak = none;
      report.retries = report.out_of_memory = none;
    }
    if (!track.steps.empty()) {
      StepReport steps = track.steps.front().Take();
      if (steps.steps > 0) report.steps = std::move(steps);
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

void ProcessTracks::TakeCurves(std::vector<NamedCurve>& curves) {
  if (!cpu_.used()) return;
  curves.push_back({"processes_cpu_cores", Unit::kCores, cpu_.Take()});
  curves.push_back({"processes_read_bytes_per_second", Unit::kBytesPerSecond, read_.Take()});
  curves.push_back({"processes_written_bytes_per_second", Unit::kBytesPerSecond, written_.Take()});
}

}  // namespace gpusight::report
