// SPDX-License-Identifier: Apache-2.0
// The second half of Decoder: what happened between two frames.
#include <algorithm>
#include <map>

#include "record/columns.h"
#include "record/decoder.h"
#include "record/roles.h"
#include "record/samples.h"

namespace gpusight::record {
namespace {

constexpr size_t kMostPerFrame = 100'000;  // of each kind

}  // namespace

void Decoder::ReadSamples(Frame& frame) {
  if (!samples_) return;
  samples_.Bind(1, t_);
  while (samples_.Row()) {
    for (size_t i = 0; i < ids_.devices.size(); ++i) {
      if (ids_.devices[i] != samples_.Integer(0)) continue;
      DeviceSample& device = frame.devices[i];
      // What is malformed in a ring is left out.
      DecodeSamples(samples_.Bytes(1), frame.time, kRatioUnit, device.utilization_ring);
      DecodeSamples(samples_.Bytes(2), frame.time, kRatioUnit, device.memory_activity_ring);
      DecodeSamples(samples_.Bytes(3), frame.time, kPowerUnit, device.power_ring);
    }
  }
  Check(samples_);
  samples_.Reset();
}

void Decoder::ReadEvents(Frame& frame, int64_t from) {
  if (!events_) return;
  events_.Bind(1, from).Bind(2, t_);
  while (events_.Row() && frame.events.size() < kMostPerFrame) {
    Event event;
    if (!ParseEvent(events_.Text(1), event.type)) continue;
    event.time.ns = events_.Integer(0);
    event.number = events_.Integer(3);
    if (!events_.IsNull(2)) {
      if (const DeviceInfo* info = identities_.Device(events_.Integer(2))) {
        event.device_uuid = info->uuid;
      }
      for (size_t i = 0; i < ids_.devices.size() && event.type == EventType::kXid; ++i) {
        if (ids_.devices[i] == events_.Integer(2)) {
          frame.devices[i].xids.push_back(static_cast<uint32_t>(event.number));
        }
      }
    }
    frame.events.push_back(std::move(event));
  }
  Check(events_);
  events_.Reset();
}

FrameworkSample* Decoder::FrameworkOf(Frame& frame, int64_t process) {
  for (size_t i = 0; i < ids_.frameworks.size(); ++i) {
    if (ids_.frameworks[i] == process) return &frame.frameworks[i];
  }
  // It happened before the first frame that had the process.
  const FrameworkSample* known = identities_.Framework(process);
  if (known == nullptr || frame.frameworks.size() >= kMostPerFrame) return nullptr;
  ids_.frameworks.push_back(process);
  return &frame.frameworks.emplace_back(*known);
}

void Decoder::ReadSteps(Frame& frame, int64_t from) {
  if (!steps_) return;
  steps_.Bind(1, from).Bind(2, t_);
  size_t count = 0;
  while (steps_.Row() && ++count < kMostPerFrame) {
    FrameworkSample* framework = FrameworkOf(frame, steps_.Integer(1));
    if (framework == nullptr) continue;
    StepSample step;
    const int64_t back = std::clamp<int64_t>(t_ - steps_.Integer(0), 0, 1'000'000'000'000);
    step.end.ns = frame.time.ns - back * 1'000'000;
    step.number = static_cast<uint64_t>(steps_.Integer(2));
    step.seconds = static_cast<double>(steps_.Integer(3)) / 1e6;
    step.data_seconds = static_cast<double>(steps_.Integer(4)) / 1e6;
    framework->steps.push_back(step);
  }
  Check(steps_);
  steps_.Reset();
}

void Decoder::ReadStacks(Frame& frame, int64_t from) {
  if (!stacks_) return;
  std::vector<WallTime> times;
  std::map<std::pair<int64_t, int64_t>, uint32_t> places;
  stacks_.Bind(1, from).Bind(2, t_);
  size_t count = 0;
  while (stacks_.Row() && ++count < kMostPerFrame) {
    const int64_t process = stacks_.Integer(0), id = stacks_.Integer(1);
    FrameworkSample* framework = FrameworkOf(frame, process);
    const std::string* text = identities_.Stack(id);
    if (framework == nullptr || text == nullptr) continue;
    DecodeTimes(stacks_.Bytes(2), frame.time, times);
    const auto [place, fresh] =
        places.try_emplace({process, id}, static_cast<uint32_t>(framework->stacks.size()));
    if (fresh) framework->stacks.push_back(*text);
    for (const WallTime time : times) framework->stack_samples.push_back({time, place->second});
    if (framework->stack_samples.size() >= kMostPerFrame) break;
  }
  Check(stacks_);
  stacks_.Reset();
  for (FrameworkSample& framework : frame.frameworks) {
    std::stable_sort(framework.stack_samples.begin(), framework.stack_samples.end(),
                     [](const StackSample& a, const StackSample& b) { return a.time < b.time; });
  }
}

void Decoder::ReadMarks(Frame& frame, int64_t from) {
  size_t count = 0;
  if (marks_) {
    marks_.Bind(1, from).Bind(2, t_);
    while (marks_.Row() && ++count < kMostPerFrame) {
      FrameworkSample* framework = FrameworkOf(frame, marks_.Integer(1));
      if (framework == nullptr) continue;
      Mark& mark = framework->marks.emplace_back();
      mark.time.ns = marks_.Integer(0);
      mark.type = ParseMark(marks_.Text(2));
      mark.value = marks_.Real(3);
      mark.text = TextOf(marks_, 4);
    }
    Check(marks_);
    marks_.Reset();
  }
  if (!ooms_) return;
  ooms_.Bind(1, from).Bind(2, t_);
  while (ooms_.Row() && ++count < kMostPerFrame) {
    FrameworkSample* framework = FrameworkOf(frame, ooms_.Integer(1));
    if (framework == nullptr) continue;
    OutOfMemory& oom = framework->out_of_memory.emplace_back();
    oom.time.ns = ooms_.Integer(0);
    oom.ordinal = IntOf(ooms_, 2);
    int at = 3;
    for (uint64_t* bytes : {&oom.requested, &oom.total, &oom.free, &oom.allocated, &oom.reserved,
                            &oom.active, &oom.inactive_split}) {
      *bytes = static_cast<uint64_t>(ooms_.Integer(at++));
    }
    oom.stack = TextOf(ooms_, at);
    oom.caught = ooms_.Integer(at + 1) != 0;
  }
  Check(ooms_);
  ooms_.Reset();
}

void Decoder::ReadProbes(Frame& frame, int64_t from) {
  if (!probes_) return;
  probes_.Bind(1, from).Bind(2, t_);
  while (probes_.Row()) {
    ProbeStats stats;
    stats.name = TextOf(probes_, 0, 64);
    stats.duration_seconds = probes_.Real(1);
    stats.lateness_seconds = probes_.Real(2);
    stats.failures = static_cast<uint64_t>(probes_.Integer(3));
    stats.rejected = static_cast<uint64_t>(probes_.Integer(4));
    stats.calls = static_cast<uint64_t>(probes_.Integer(5));
    const auto found = std::find_if(last_probes_.begin(), last_probes_.end(),
                                    [&](const ProbeStats& p) { return p.name == stats.name; });
    if (found != last_probes_.end()) {
      *found = std::move(stats);
    } else if (last_probes_.size() < 64) {
      last_probes_.push_back(std::move(stats));
    }
  }
  Check(probes_);
  probes_.Reset();
  frame.probes = last_probes_;
}

}  // namespace gpusight::record
