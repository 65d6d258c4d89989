// SPDX-License-Identifier: Apache-2.0
#include "report/course.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "diagnose/idle_attribution.h"
#include "model/text/failure.h"

namespace gpusight::report {
namespace {

constexpr double kMinute = 60;
constexpr size_t kMoments = 5;

// `pid`: of the job in any case.
bool IsOfJob(const ProcessSample& process, int pid) {
  return (process.in_job || process.pid == pid) && !process.zombie;
}

bool HasJob(const Frame& frame, int pid) {
  return std::any_of(frame.processes.begin(), frame.processes.end(),
                     [pid](const ProcessSample& process) { return IsOfJob(process, pid); });
}

// Which devices the job ever used; all where that cannot be told.
std::vector<bool> DevicesOf(std::span<const Frame> frames, int pid) {
  std::vector<bool> used;
  for (const Frame& frame : frames) {
    if (used.size() < frame.devices.size()) used.resize(frame.devices.size());
    for (const ProcessSample& process : frame.processes) {
      if (!IsOfJob(process, pid)) continue;
      for (const GpuUse& use : process.uses) {
        if (use.device >= 0 && static_cast<size_t>(use.device) < used.size()) {
          used[static_cast<size_t>(use.device)] = true;
        }
      }
    }
  }
  return used;
}

// Gathers one number of several devices, processes or allocators.
class Gather {
 public:
  void Add(const Known<double>& value) {
    if (!value) {
      if (count_ == 0) missing_ = value.missing();
      return;
    }
    sum_ += *value;
    most_ = count_ == 0 ? *value : std::max(most_, *value);
    ++count_;
  }
  Known<double> most() const { return count_ > 0 ? Known<double>(most_) : Known<double>(missing_); }
  Known<double> sum() const { return count_ > 0 ? Known<double>(sum_) : Known<double>(missing_); }
  Known<double> mean() const {
    return count_ > 0 ? Known<double>(sum_ / count_) : Known<double>(missing_);
  }

 private:
  double sum_ = 0, most_ = 0;
  int count_ = 0;
  Missing missing_{Absence::kNotSampledYet, 0};
};

class Reader {
 public:
  Reader(std::span<const Frame> frames, int pid) : used_(DevicesOf(frames, pid)), pid_(pid) {}

  bool any_device() const { return std::find(used_.begin(), used_.end(), true) != used_.end(); }

  Gather Devices(const Frame& frame, DeviceField field) const {
    Gather out;
    for (size_t i = 0; i < frame.devices.size() && i < used_.size(); ++i) {
      if (used_[i]) out.Add(frame.devices[i][field]);
    }
    return out;
  }
  Gather Allocators(const Frame& frame, AllocatorField field) const {
    Gather out;
    for (const FrameworkSample& framework : frame.frameworks) {
      if (framework.pid != pid_) continue;
      for (const AllocatorSample& allocator : framework.allocators)
        out.Add(allocator.fields[field]);
    }
    return out;
  }
  Known<double> Steps(const Frame& frame) const {
    for (const FrameworkSample& framework : frame.frameworks) {
      if (framework.pid == pid_) return framework.fields[FrameworkField::kSteps];
    }
    return Absence::kNotSampledYet;
  }
  Known<double> Resident(const Frame& frame) const {
    Gather out;
    for (const ProcessSample& process : frame.processes) {
      if (IsOfJob(process, pid_)) out.Add(process.fields[ProcessField::kResident]);
    }
    return out.sum();
  }
  Known<double> Container(const Frame& frame, ContainerField field) const {
    for (const ProcessSample& process : frame.processes) {
      const auto at = static_cast<size_t>(process.container_index);
      if (IsOfJob(process, pid_) && process.container_index >= 0 && at < frame.containers.size()) {
        return frame.containers[at].fields[field];
      }
    }
    for (const ContainerSample& container : frame.containers) {
      if (container.own) return container.fields[field];
    }
    return Absence::kNotApplicable;
  }

 private:
  std::vector<bool> used_;
  int pid_;
};

using Value = Known<double> (*)(const Reader&, const Frame&);
struct Line {
  const Text* label;
  Unit unit;
  Value value;
};

constexpr Line kSteps{&text::kMinuteSteps, Unit::kCount,
                      [](const Reader& r, const Frame& f) { return r.Steps(f); }};
constexpr Line kUtilization{&text::kMinuteUtilization, Unit::kRatio,
                            [](const Reader& r, const Frame& f) {
                              const auto mean = r.Devices(f, DeviceField::kUtilizationMean).mean();
                              return mean ? mean : r.Devices(f, DeviceField::kUtilization).mean();
                            }};
constexpr Line kDevice{&text::kMinuteDevice, Unit::kBytes, [](const Reader& r, const Frame& f) {
                         return r.Devices(f, DeviceField::kMemoryUsed).most();
                       }};
constexpr Line kTemperature{
    &text::kMinuteTemperature, Unit::kCelsius,
    [](const Reader& r, const Frame& f) { return r.Devices(f, DeviceField::kTemperature).most(); }};
constexpr Line kPower{&text::kMinutePower, Unit::kWatts, [](const Reader& r, const Frame& f) {
                        return r.Devices(f, DeviceField::kPower).most();
                      }};
constexpr Line kResident{&text::kMinuteResident, Unit::kBytes,
                         [](const Reader& r, const Frame& f) { return r.Resident(f); }};
constexpr Line kContainer{
    &text::kMinuteContainer, Unit::kBytes,
    [](const Reader& r, const Frame& f) { return r.Container(f, ContainerField::kMemoryCurrent); }};
constexpr Line kShm{&text::kMinuteShm, Unit::kBytes, [](const Reader& r, const Frame& f) {
                      const auto own = r.Container(f, ContainerField::kShmUsed);
                      return own ? own : f.host.fields[HostField::kShmUsed];
                    }};

std::vector<Line> LinesFor(Wanted wanted, bool any_device) {
  std::vector<Line> lines{kSteps};
  if (wanted == Wanted::kHostMemory) return {kSteps, kResident, kContainer, kUtilization};
  if (wanted == Wanted::kSharedMemory) return {kSteps, kShm, kResident, kUtilization};
  if (any_device) {
    lines.push_back(kUtilization);
    if (wanted == Wanted::kCard) lines.insert(lines.end(), {kTemperature, kPower});
    lines.push_back(kDevice);
  }
  if (wanted == Wanted::kUsual) lines.push_back(kResident);
  return lines;
}

double Before(WallTime end, WallTime time) { return static_cast<double>(end.ns - time.ns) * 1e-9; }

// The last minute.
std::span<const Frame> Last(std::span<const Frame> frames, WallTime end) {
  size_t first = 0;
  while (first < frames.size() && Before(end, frames[first].time) > kMinute + 1) ++first;
  size_t last = frames.size();
  while (last > first && frames[last - 1].time > end) --last;
  return frames.subspan(first, last - first);
}

}  // namespace

int MainProcess(std::span<const Frame> frames) {
  int best = 0, best_rank = 0;
  size_t most = 0;
  std::map<int, size_t> looks;
  for (const Frame& frame : frames) {
    for (const FrameworkSample& framework : frame.frameworks) {
      // Workers have no rank and few looks.
      const size_t count = looks[framework.pid] += framework.stack_samples.size() + 1;
      const int rank = framework.rank < 0 ? 1 << 20 : framework.rank;
      if (best == 0 || rank < best_rank || (rank == best_rank && count > most)) {
        best = framework.pid;
        best_rank = rank;
        most = count;
      }
    }
  }
  return best;
}

Course CourseOf(std::span<const Frame> frames, WallTime end, int pid, Wanted wanted) {
  Course course;
  const Reader reader(frames, pid);
  const std::span<const Frame> all = Last(frames, end);
  std::vector<const Frame*> alive;
  for (const Frame& frame : all) {
    if (HasJob(frame, pid) && frame.interval_seconds > 0) alive.push_back(&frame);
  }
  constexpr size_t kFewest = 3;
  if (alive.size() < kFewest) return course;
  const WallTime last = alive.back()->time;
  const double reach = std::min(kMinute, Before(last, alive.front()->time));
  const size_t moments = std::min(kMoments, alive.size());
  std::vector<const Frame*> chosen;
  for (size_t i = 0; i < moments; ++i) {
    const double wanted_at =
        reach * static_cast<double>(moments - 1 - i) / static_cast<double>(moments - 1);
    const auto nearest =
        std::min_element(alive.begin(), alive.end(), [&](const Frame* a, const Frame* b) {
          return std::abs(Before(last, a->time) - wanted_at) <
                 std::abs(Before(last, b->time) - wanted_at);
        });
    if (!chosen.empty() && chosen.back() == *nearest) continue;
    chosen.push_back(*nearest);
    course.seconds.push_back(std::round(Before(last, (*nearest)->time)));
  }
  const auto add = [&](Said label, Unit unit, const auto& value) {
    Course::Row row{std::move(label), unit, {}};
    for (const Frame* frame : chosen) row.values.push_back(value(*frame));
    const auto known = [](const Known<double>& one) { return one.known(); };
    if (std::any_of(row.values.begin(), row.values.end(), known)) {
      course.rows.push_back(std::move(row));
    }
  };
  if (wanted == Wanted::kUsual) {
    for (const AllocatorField field : {AllocatorField::kAllocated, AllocatorField::kReserved}) {
      add(Both(gpusight::Row(field).label), Unit::kBytes,
          [&](const Frame& frame) { return reader.Allocators(frame, field).most(); });
    }
  }
  for (const Line& line : LinesFor(wanted, reader.any_device())) {
    add(Both(*line.label), line.unit,
        [&](const Frame& frame) { return line.value(reader, frame); });
  }
  return course;
}

std::vector<PlaceShare> PlacesOf(std::span<const Frame> frames, WallTime end, int pid) {
  constexpr size_t kMost = 3;
  std::map<std::string, size_t> counts;
  size_t all = 0;
  for (const Frame& frame : Last(frames, {end.ns + 1'000'000'000})) {
    for (const FrameworkSample& framework : frame.frameworks) {
      if (framework.pid != pid) continue;
      for (const StackSample& look : framework.stack_samples) {
        if (look.stack >= framework.stacks.size()) continue;
        ++counts[diagnose::PlaceOf(framework.stacks[look.stack])];
        ++all;
      }
    }
  }
  std::vector<PlaceShare> out;
  for (const auto& [name, count] : counts) {
    out.push_back({name, static_cast<double>(count) / static_cast<double>(all)});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  if (out.size() > kMost) out.resize(kMost);
  return out;
}

}  // namespace gpusight::report
