// SPDX-License-Identifier: Apache-2.0
#include "export/tensorboard_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "export/device_label.h"
#include "export/markup.h"
#include "model/text/tensorboard.h"

namespace gpusight::exporting {
namespace {

// A job that starts program after program must not exhaust files or the page.
constexpr size_t kMostRuns = 256;
constexpr size_t kMostMetrics = 500;  // of a process
constexpr size_t kMostHappenings = 100;

// "0/7/1" cannot be a folder.
std::string Folder(std::string name) {
  std::replace(name.begin(), name.end(), '/', '-');
  return name;
}

// The optimizer step in which something happened.
int64_t StepAt(const FrameworkSample& framework, WallTime time) {
  const auto last = static_cast<int64_t>(framework.fields[FrameworkField::kSteps].value_or(0));
  for (const StepSample& step : framework.steps) {
    if (time <= step.end) return static_cast<int64_t>(step.number);
  }
  return last;
}

std::string Bytes(uint64_t bytes) { return FormatBytes(static_cast<double>(bytes)); }

}  // namespace

int64_t TensorBoardRuns::SecondsAt(WallTime time) const {
  return std::max<int64_t>(0, std::llround(static_cast<double>(time.ns - begin_.ns) * 1e-9));
}

// TensorBoard shows one point of each step, and drops the earlier ones when a step goes back.
int64_t TensorBoardRuns::NextStep(Run& run, WallTime time) const {
  run.last_step = std::max(SecondsAt(time), run.last_step + 1);
  return run.last_step;
}

TensorBoardRuns::Run* TensorBoardRuns::RunOf(const std::string& name) {
  const auto [place, fresh] = by_name_.try_emplace(name, nullptr);
  if (!fresh) return place->second;
  if (runs_.size() >= kMostRuns) return nullptr;
  Run& run = runs_.emplace_back();
  run.name = name;
  AppendTensorBoardHeader(run.header, begin_);
  place->second = &run;
  return &run;
}

std::vector<TensorBoardRuns::Piece> TensorBoardRuns::Take() {
  std::vector<Piece> pieces;
  for (Run& run : runs_) {
    if (run.waiting.empty()) continue;
    pieces.push_back({run.name, run.header, std::exchange(run.waiting, {})});
  }
  return pieces;
}

size_t TensorBoardRuns::waiting() const {
  size_t sum = 0;
  for (const Run& run : runs_) sum += run.waiting.size();
  return sum;
}

TensorBoardRuns::Process& TensorBoardRuns::ProcessOf(Identity identity, int rank) {
  const auto [place, fresh] = processes_.try_emplace(identity);
  Process& process = place->second;
  if (!fresh) return process;
  process.name = rank >= 0 ? fmt::format("rank{}", rank) : fmt::format("pid{}", identity.first);
  // A rank that was started anew, or of another launcher.
  if (!process_names_.insert(process.name).second) {
    process.name += fmt::format("-pid{}", identity.first);
    process_names_.insert(process.name);
  }
  return process;
}

template <typename Field>
void TensorBoardRuns::Collect(const TagList<Field>& list, const FieldSet<Field>& fields) {
  for (const FieldTag<Field>& tag : list.tags) {
    if (fields[tag.field]) scalars_.push_back({tag.text, *fields[tag.field]});
  }
}

void TensorBoardRuns::Flush(const std::string& name, WallTime time, int64_t step) {
  Run* run = scalars_.empty() ? nullptr : RunOf(name);
  if (run != nullptr) {
    AppendTensorBoardEvent(run->waiting, time, step, scalars_);
    points_ += scalars_.size();
  }
  scalars_.clear();
}

void TensorBoardRuns::FlushAtSeconds(const std::string& name, WallTime time) {
  Run* run = scalars_.empty() ? nullptr : RunOf(name);
  if (run != nullptr) Flush(name, time, NextStep(*run, time));
  scalars_.clear();
}

void TensorBoardRuns::Add(const Frame& frame) {
  for (size_t i = 0; i < frame.devices.size(); ++i) AddDevice(frame, i);
  Collect(HostTags(), frame.host.fields);
  FlushAtSeconds("host", frame.time);
  for (const FrameworkSample& framework : frame.frameworks) {
    const auto sample = std::find_if(
        frame.processes.begin(), frame.processes.end(),
        [&framework](const ProcessSample& process) { return process.pid == framework.pid; });
    AddProcess(frame, sample == frame.processes.end() ? nullptr : &*sample, &framework);
  }
  for (const ProcessSample& process : frame.processes) {
    const bool told = std::any_of(
        frame.frameworks.begin(), frame.frameworks.end(),
        [&process](const FrameworkSample& framework) { return framework.pid == process.pid; });
    if (process.in_job && !process.uses.empty() && !told) AddProcess(frame, &process, nullptr);
  }
  AddHappenings(frame);
}

void TensorBoardRuns::AddDevice(const Frame& frame, size_t device) {
  const DeviceSample& sample = frame.devices[device];
  const auto [place, fresh] = device_runs_.try_emplace(sample.info.uuid);
  if (fresh) place->second = Folder("gpu" + DeviceLabel(frame, device));
  Collect(DeviceTags(), sample.fields);
  FlushAtSeconds(place->second, frame.time);
}

// The first device of a process is told of in its own run, every further one in a run beside it.
void TensorBoardRuns::AddProcess(const Frame& frame, const ProcessSample* sample,
                                 const FrameworkSample* framework) {
  const Identity identity = framework != nullptr ? Identity{framework->pid, framework->start_ticks}
                                                 : Identity{sample->pid, sample->start_ticks};
  Process& process =
      ProcessOf(identity, framework != nullptr && framework->rank >= 0 ? framework->rank
                          : sample != nullptr                          ? sample->rank
                                                                       : -1);
  // All of one run in one event, so that they have one step.
  std::map<std::string, std::vector<Scalar>> of_runs;
  const auto keep = [&](const std::string& place, std::string& main) {
    if (main.empty()) main = place;
    auto& scalars = of_runs[main == place ? process.name : process.name + '-' + place];
    scalars.insert(scalars.end(), scalars_.begin(), scalars_.end());
    scalars_.clear();
  };
  const auto label = [&frame](int device) {
    return Folder("gpu" + DeviceLabel(frame, static_cast<size_t>(device)));
  };
  const auto known = [&frame](int device) {
    return device >= 0 && static_cast<size_t>(device) < frame.devices.size();
  };
  if (sample != nullptr) {
    Collect(ProcessTags(), sample->fields);
    of_runs[process.name] = std::exchange(scalars_, {});
    for (const GpuUse& use : sample->uses) {
      if (!known(use.device)) continue;
      Collect(UseTags(), use.fields);
      keep(label(use.device), process.use);
    }
  }
  if (framework != nullptr) {
    Collect(FrameworkTags(), framework->fields);
    auto& own = of_runs[process.name];
    own.insert(own.end(), scalars_.begin(), scalars_.end());
    scalars_.clear();
    for (const AllocatorSample& allocator : framework->allocators) {
      Collect(AllocatorTags(), allocator.fields);
      keep(known(allocator.device) ? label(allocator.device)
                                   : fmt::format("device{}", allocator.ordinal),
           process.allocator);
    }
  }
  for (auto& [name, scalars] : of_runs) {
    scalars_ = std::move(scalars);
    FlushAtSeconds(name, frame.time);
  }
  if (framework == nullptr) return;
  AddMetrics(*framework, process);
  AddSteps(frame, *framework, sample, process);
}

// One point where steps have ended since the frame before.
void TensorBoardRuns::AddSteps(const Frame& frame, const FrameworkSample& framework,
                               const ProcessSample* sample, Process& process) {
  const Known<double>& steps = framework.fields[FrameworkField::kSteps];
  if (!steps || static_cast<int64_t>(*steps) <= std::max<int64_t>(process.last_step, 0)) return;
  process.last_step = static_cast<int64_t>(*steps);
  Collect(FrameworkStepTags(), framework.fields);
  int device = -1;
  if (!framework.allocators.empty()) {
    const AllocatorSample& allocator = framework.allocators.front();
    Collect(AllocatorStepTags(), allocator.fields);
    device = allocator.device;
  }
  if (device < 0 && sample != nullptr && !sample->uses.empty()) {
    device = sample->uses.front().device;
  }
  if (device >= 0 && static_cast<size_t>(device) < frame.devices.size()) {
    Collect(DeviceStepTags(), frame.devices[static_cast<size_t>(device)].fields);
  }
  Flush(process.name, frame.time, process.last_step);
}

void TensorBoardRuns::AddMetrics(const FrameworkSample& framework, Process& process) {
  for (const Mark& mark : framework.marks) {
    if (mark.type != MarkType::kMetric) continue;
    const std::string tag = fmt::format("{}/{}", kMetricGroup, Printable(mark.text));
    if (process.metrics.size() >= kMostMetrics && !process.metrics.contains(tag)) continue;
    const std::string& kept = *process.metrics.insert(tag).first;
    scalars_.push_back({kept, mark.value});
    Flush(process.name, mark.time, StepAt(framework, mark.time));
  }
}

void TensorBoardRuns::AddRow(WallTime time, std::string_view what, const std::string& where,
                             std::string_view text) {
  happenings_.push_back(fmt::format("| {:.1f} | {} | {} | {} |\n",
                                    static_cast<double>(time.ns - begin_.ns) * 1e-9, what,
                                    MarkdownSafe(where), MarkdownSafe(Capped(text, 500))));
  if (happenings_.size() > kMostHappenings) happenings_.pop_front();
  happened_ = true;
}

// TensorBoard keeps few texts of a tag, but always the last: so each holds those before it.
void TensorBoardRuns::AddHappenings(const Frame& frame) {
  for (const Event& event : frame.events) {
    if (event.type == EventType::kProcessStarted || event.type == EventType::kProcessEnded)
      continue;
    const auto device = device_runs_.find(event.device_uuid);
    const std::string where = device != device_runs_.end() ? device->second : event.device_uuid;
    AddRow(event.time, EventName(event.type), where,
           event.number != 0 ? fmt::format("{}", event.number) : "");
  }
  for (const FrameworkSample& framework : frame.frameworks) {
    const Process& process = ProcessOf({framework.pid, framework.start_ticks}, framework.rank);
    for (const Mark& mark : framework.marks) {
      if (mark.type == MarkType::kMetric) continue;
      AddRow(mark.time, MarkName(mark.type), process.name, mark.text);
    }
    for (const OutOfMemory& failure : framework.out_of_memory) {
      AddRow(failure.time, "out_of_memory", process.name,
             Say(language_, text::kTensorBoardOutOfMemory, Bytes(failure.requested),
                 Bytes(failure.free), Bytes(failure.allocated), Bytes(failure.reserved)));
    }
  }
  if (!std::exchange(happened_, false)) return;
  std::string table = Say(language_, text::kTensorBoardEvents) + "\n| --- | --- | --- | --- |\n";
  for (const std::string& row : happenings_) table += row;
  AddText(kEventsTag, frame.time, table);
}

void TensorBoardRuns::AddText(std::string_view tag, WallTime time, std::string_view markdown) {
  Run* run = RunOf("job");
  if (run == nullptr) return;
  AppendTensorBoardText(run->waiting, time, NextStep(*run, time), tag, markdown);
}

}  // namespace gpusight::exporting
