// SPDX-License-Identifier: Apache-2.0
#include "report/builder.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace gpusight::report {
namespace {

constexpr size_t kMostDevices = 256;
constexpr size_t kMostIdlePairs = 256;
constexpr size_t kMostMetrics = 8;
constexpr size_t kMostListed = 2000;
constexpr size_t kMostFindings = 500;
constexpr size_t kMostProcessesShown = 200;
constexpr size_t kLongestText = 4096;
// Frames that are further apart were merged, or there was a hole.
constexpr double kLongestFullFrame = 9;

// Drops the older ones.
template <typename T>
void KeepNewest(std::vector<T>& list, size_t most, uint64_t& left_out) {
  if (list.size() <= most) return;
  left_out += list.size() - most;
  list.erase(list.begin(), list.end() - static_cast<ptrdiff_t>(most));
}

// The allocator of a process on a device; null when there is none.
const AllocatorSample* AllocatorOn(const FrameworkSample* framework, const Frame& frame,
                                   size_t device) {
  if (framework == nullptr) return nullptr;
  for (const AllocatorSample& allocator : framework->allocators) {
    if (allocator.device == static_cast<int>(device)) return &allocator;
    if (!allocator.uuid.empty() && allocator.uuid == frame.devices[device].info.uuid) {
      return &allocator;
    }
  }
  return nullptr;
}

const FrameworkSample* FrameworkOf(const Frame& frame, const ProcessSample& process) {
  for (const FrameworkSample& framework : frame.frameworks) {
    if (framework.pid == process.pid && framework.start_ticks == process.start_ticks) {
      return &framework;
    }
  }
  return nullptr;
}

}  // namespace

Builder::Builder(record::Summary summary, size_t devices)
    : grid_(GridOver(summary.span)),
      samples_per_device_(kMostSamples / std::max<size_t>(devices, 1)),
      processes_(grid_),
      host_(grid_) {
  report_.summary = std::move(summary);
  report_.grid = grid_;
}

int Builder::Device(const DeviceSample& device) {
  const auto found = device_numbers_.find(device.info.uuid);
  if (found != device_numbers_.end()) return found->second;
  if (devices_.size() >= kMostDevices) return -1;
  const auto number = static_cast<int>(devices_.size());
  device_numbers_.emplace(device.info.uuid, number);
  devices_.emplace_back(grid_, samples_per_device_);
  return number;
}

void Builder::Add(const Frame& frame) {
  if (!IsSane(frame.time)) return;
  const Reach reach{frame.time, std::max(frame.interval_seconds, 0.0)};
  report_.seconds_covered += reach.seconds;
  const bool merged = reach.seconds >= kLongestFullFrame;
  if (merged) {
    if (merged_until_.ns == 0) reach_.resize(grid_.count);
    merged_until_ = frame.time;
    double& longest = reach_[grid_.At(frame.time)];
    longest = std::max(longest, reach.seconds);
  } else {
    report_.seconds_full += reach.seconds;
  }
  std::vector<int> devices;
  devices.reserve(frame.devices.size());
  for (const DeviceSample& device : frame.devices) devices.push_back(Device(device));
  for (const Event& event : frame.events) {
    if (event.type != EventType::kClockJump) continue;
    for (auto& [pair, idle] : idle_) idle.ClockWasSet();
  }
  processes_.Add(reach, frame);
  AddProcesses(frame, devices);
  for (size_t i = 0; i < devices.size(); ++i) {
    if (devices[i] >= 0) devices_[static_cast<size_t>(devices[i])].Add(reach, frame.devices[i]);
  }
  host_.Add(reach, frame);
  AddIdle(frame, devices);
}

void Builder::AddProcesses(const Frame& frame, const std::vector<int>& devices) {
  for (const ProcessSample& process : frame.processes) {
    if (process.uses.empty()) continue;
    const int number = processes_.Find({process.pid, process.start_ticks});
    const FrameworkSample* framework = FrameworkOf(frame, process);
    for (const GpuUse& use : process.uses) {
      const auto at = static_cast<size_t>(use.device);
      if (use.device < 0 || at >= devices.size() || devices[at] < 0) continue;
      processes_.UsedDevice(number, devices[at]);
      devices_[static_cast<size_t>(devices[at])].memory().AddProcess(
          number, use.fields[UseField::kMemory], AllocatorOn(framework, frame, at));
    }
  }
}

void Builder::AddIdle(const Frame& frame, const std::vector<int>& devices) {
  for (const FrameworkSample& framework : frame.frameworks) {
    const int process = processes_.Find({framework.pid, framework.start_ticks});
    if (process < 0) continue;
    const ProcessSample* sample = nullptr;
    for (const ProcessSample& p : frame.processes) {
      if (p.pid == framework.pid && p.start_ticks == framework.start_ticks) sample = &p;
    }
    for (size_t at = 0; at < devices.size(); ++at) {
      if (devices[at] < 0) continue;
      const bool uses = sample != nullptr &&
                        std::any_of(sample->uses.begin(), sample->uses.end(), [&](const GpuUse& u) {
                          return u.device == static_cast<int>(at);
                        });
      const std::pair key(process, devices[at]);
      auto found = idle_.find(key);
      if (found == idle_.end()) {
        if (!uses && AllocatorOn(&framework, frame, at) == nullptr) continue;
        if (idle_.size() >= kMostIdlePairs) continue;
        found = idle_.try_emplace(key).first;
      }
      const DeviceSample& device = frame.devices[at];
      if (device.utilization_ring.empty() && frame.interval_seconds >= kLongestFullFrame) {
        const auto& mean = device[DeviceField::kUtilizationMean];
        found->second.AddMerged(frame.interval_seconds,
                                mean ? mean : device[DeviceField::kUtilization]);
        continue;
      }
      found->second.AddRing(device.utilization_ring, frame.time, frame.interval_seconds);
      found->second.AddStacks(framework.stack_samples, framework.stacks, frame.time,
                              frame.interval_seconds);
    }
  }
}

void Builder::AddStep(ProcessKey process, const record::RecordedStep& step) {
  processes_.AddStep(processes_.Find(process), step);
}

void Builder::AddStacks(ProcessKey process, const std::vector<record::StackCount>& stacks) {
  const int number = processes_.Find(process);
  for (auto& [pair, idle] : idle_) {
    if (pair.first != number) continue;
    for (const record::StackCount& stack : stacks) idle.AddCount(stack.stack, stack.idle_samples);
  }
}

void Builder::AddExtremes(const std::string& uuid, DeviceField field,
                          const record::Series& series) {
  const auto found = device_numbers_.find(uuid);
  if (found == device_numbers_.end()) return;
  DeviceTracks& device = devices_[static_cast<size_t>(found->second)];
  for (const record::Point& point : series) {
    // A piece of the series is one of the grid; what a merged frame says holds for all of its time.
    const size_t at = grid_.At({point.time.ns + static_cast<int64_t>(grid_.step * 0.5e9)});
    const double reach = at < reach_.size() ? reach_[at] : 0;
    if (reach > 0)
      device.AddExtremes(field, {point.time, reach + grid_.step}, point.least, point.most);
  }
}

// Ranks that report the same metric share its curve.
void Builder::AddMetric(const Mark& mark) {
  auto found = metrics_.find(mark.text);
  if (found == metrics_.end()) {
    if (metrics_.size() >= kMostMetrics) {
      ++report_.left_out;
      return;
    }
    found = metrics_.try_emplace(mark.text, grid_).first;
  }
  found->second.Add({mark.time, 0}, mark.value);
}

void Builder::AddMarks(ProcessKey process, std::vector<Mark> marks) {
  const int number = processes_.Find(process);
  if (number < 0) return;
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.time < b.time; });
  Phase open{number, {}, {}, {}};
  const auto close = [&](WallTime end) {
    if (open.name.empty()) return;
    open.end = end;
    report_.phases.push_back(std::exchange(open, {number, {}, {}, {}}));
  };
  for (Mark& mark : marks) {
    mark.text = Capped(mark.text, kLongestText);
    if (mark.type == MarkType::kPhase) {
      close(mark.time);
      open.begin = mark.time;
      open.name = mark.text;
    } else if (mark.type == MarkType::kMetric) {
      AddMetric(mark);
    } else {
      report_.marks.push_back({number, std::move(mark)});
    }
  }
  close(report_.summary.span.end);
}

void Builder::AddOutOfMemory(ProcessKey process, std::vector<OutOfMemory> list) {
  const int number = processes_.Find(process);
  for (OutOfMemory& one : list) {
    if (number < 0 || report_.out_of_memory.size() >= kMostFindings) break;
    one.stack = Capped(one.stack, kLongestText);
    report_.out_of_memory.push_back({number, std::move(one)});
  }
}

void Builder::AddFailure(Failure failure) {
  for (PostMortem& one : failure.post_mortems) {
    if (one.pid != 0) one.process = processes_.Find({one.pid, one.start_ticks});
  }
  report_.failure = std::move(failure);
}

void Builder::AddEvents(std::vector<Event> events) {
  report_.events = std::move(events);
  KeepNewest(report_.events, kMostListed, report_.left_out);
}

void Builder::AddFindings(std::vector<record::FindingRow> findings) {
  report_.findings = std::move(findings);
  std::stable_sort(
      report_.findings.begin(), report_.findings.end(),
      [](const auto& a, const auto& b) { return a.finding.severity > b.finding.severity; });
  if (report_.findings.size() > kMostFindings) {
    report_.left_out += report_.findings.size() - kMostFindings;
    report_.findings.resize(kMostFindings);
  }
}

void Builder::AddOutput(std::vector<record::OutputPiece> output) {
  report_.output = std::move(output);
}

// The largest users of device memory first, then by CPU; all positions are changed with them.
void Builder::OrderProcesses() {
  auto& list = report_.processes;
  std::vector<int> order(list.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto key = [&](int i) {
    const ProcessReport& p = list[static_cast<size_t>(i)];
    return std::pair(p.memory_peak.value_or(-1), p.cpu_mean.value_or(-1));
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) > key(b); });
  std::vector<int> place(list.size());
  std::vector<ProcessReport> sorted;
  sorted.reserve(list.size());
  for (size_t i = 0; i < order.size(); ++i) {
    place[static_cast<size_t>(order[i])] = static_cast<int>(i);
    sorted.push_back(std::move(list[static_cast<size_t>(order[i])]));
  }
  list = std::move(sorted);
  const auto move = [&](int& process) {
    if (process >= 0) process = place[static_cast<size_t>(process)];
  };
  for (DeviceReport& device : report_.devices) {
    for (Layer& layer : device.memory.layers) move(layer.process);
  }
  for (IdleEntry& entry : report_.idle) move(entry.process);
  for (Phase& phase : report_.phases) move(phase.process);
  for (ProcessMark& mark : report_.marks) move(mark.process);
  for (ProcessOutOfMemory& one : report_.out_of_memory) move(one.process);
  for (PostMortem& one : report_.failure.post_mortems) move(one.process);
}

Report Builder::Take() {
  for (DeviceTracks& device : devices_) report_.devices.push_back(device.Take());
  report_.processes = processes_.Take();
  report_.processes_cut = processes_.cut();
  processes_.TakeCurves(report_.host);
  host_.TakeCurves(report_.host);
  for (auto& [pair, idle] : idle_) {
    report_.idle.push_back({pair.first, pair.second, idle.Finish()});
  }
  for (auto& [name, curve] : metrics_) report_.metrics.push_back({name, curve.Take()});
  std::stable_sort(report_.marks.begin(), report_.marks.end(),
                   [](const auto& a, const auto& b) { return a.mark.time < b.mark.time; });
  KeepNewest(report_.marks, kMostListed, report_.left_out);
  KeepNewest(report_.phases, kMostListed, report_.left_out);
  OrderProcesses();
  // Rows that nobody points at may go.
  const auto pointed = [this](size_t at) {
    const auto is = [at](int process) { return process == static_cast<int>(at); };
    const ProcessReport& p = report_.processes[at];
    // Marks and phases come from processes with a page, which have a framework.
    return p.steps || p.framework.pid != 0 ||
           std::any_of(report_.out_of_memory.begin(), report_.out_of_memory.end(),
                       [&](const ProcessOutOfMemory& one) { return is(one.process); });
  };
  while (report_.processes.size() > kMostProcessesShown && !pointed(report_.processes.size() - 1)) {
    report_.processes.pop_back();
    report_.processes_cut = true;
  }
  for (DeviceReport& device : report_.devices) {
    for (Layer& layer : device.memory.layers) {
      if (layer.process >= static_cast<int>(report_.processes.size())) layer.process = -1;
    }
  }
  return std::move(report_);
}

}  // namespace gpusight::report
