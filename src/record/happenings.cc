// SPDX-License-Identifier: Apache-2.0
#include "record/happenings.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "record/roles.h"
#include "record/samples.h"

namespace gpusight::record {
namespace {

constexpr int64_t kProbesEveryMs = 10'000;
constexpr int64_t kOldestMs = 3'600'000;  // what a process calls older happened an hour ago
constexpr size_t kLongestStack = 8192;

// Where on the recording's clock a wall time near the frame is.
int64_t TimeOf(WallTime time, const Frame& frame, int64_t t) {
  const int64_t back = frame.time.ns / 1'000'000 - time.ns / 1'000'000;
  return t - std::clamp<int64_t>(back, 0, kOldestMs);
}

int64_t Micros(double seconds) {
  return seconds > 0 && seconds < 1e12 ? std::llround(seconds * 1e6) : 0;
}

// Like Capped(), and what is no UTF-8 made so: SQL texts must be.
std::string Clean(std::string_view text, size_t most) { return Capped(Printable(text), most); }

}  // namespace

Happenings::Happenings(Database& database, Identities& identities) : identities_(identities) {
  step_ = database.Prepare("INSERT OR REPLACE INTO step VALUES(?,?,?,?,?,?,?,?)");
  stack_ = database.Prepare("INSERT OR REPLACE INTO stack_sample VALUES(?,?,?,?,NULL,?)");
  mark_ = database.Prepare("INSERT INTO mark VALUES(NULL,?,?,?,?,?,?)");
  oom_ = database.Prepare("INSERT INTO out_of_memory VALUES(NULL,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  event_ = database.Prepare("INSERT INTO event VALUES(NULL,?,?,?,?,?)");
  probe_ = database.Prepare("INSERT OR REPLACE INTO probe_frame VALUES(?,?,?,?,?,?,?,?)");
}

bool Happenings::Write(const Frame& frame, int64_t t, const FrameIds& ids) {
  for (size_t i = 0; i < frame.frameworks.size(); ++i) {
    const FrameworkSample& framework = frame.frameworks[i];
    const int64_t process = ids.frameworks[i];
    if (!WriteSteps(framework, process, frame, t) || !WriteStacks(framework, process, frame, t) ||
        !WriteMarks(framework, process, frame, t)) {
      return false;
    }
  }
  return WriteEvents(frame, t) && WriteProbes(frame, t);
}

bool Happenings::WriteSteps(const FrameworkSample& framework, int64_t process, const Frame& frame,
                            int64_t t) {
  const size_t count = framework.steps.size();
  const size_t group = (count + kStepsPerFrame - 1) / kStepsPerFrame;
  for (size_t begin = 0; begin < count; begin += group) {
    const size_t end = std::min(begin + group, count);
    double seconds = 0, data = 0;
    double least = framework.steps[begin].seconds, most = least;
    for (size_t i = begin; i < end; ++i) {
      const StepSample& step = framework.steps[i];
      seconds += step.seconds;
      data += step.data_seconds;
      least = std::min(least, step.seconds);
      most = std::max(most, step.seconds);
    }
    const auto merged = static_cast<int64_t>(end - begin);
    const StepSample& last = framework.steps[end - 1];
    step_.Bind(1, TimeOf(last.end, frame, t)).Bind(2, process);
    step_.Bind(3, static_cast<int64_t>(last.number));
    step_.Bind(4, Micros(seconds / static_cast<double>(merged)));
    step_.Bind(5, Micros(data / static_cast<double>(merged)));
    if (merged > 1) {
      step_.Bind(6, merged).Bind(7, Micros(least)).Bind(8, Micros(most));
    } else {
      step_.BindNull(6).BindNull(7).BindNull(8);
    }
    if (!step_.Run()) return false;
  }
  return true;
}

bool Happenings::WriteStacks(const FrameworkSample& framework, int64_t process, const Frame& frame,
                             int64_t t) {
  std::map<int64_t, std::vector<WallTime>> by_stack;
  for (const StackSample& sample : framework.stack_samples) {
    if (sample.stack >= framework.stacks.size()) continue;
    int64_t id = 0;
    if (!identities_.Stack(Clean(framework.stacks[sample.stack], kLongestStack), id)) return false;
    by_stack[id].push_back(sample.time);
  }
  for (auto& [id, times] : by_stack) {
    std::sort(times.begin(), times.end());
    bytes_.clear();
    EncodeTimes(times, frame.time, bytes_);
    stack_.Bind(1, t).Bind(2, process).Bind(3, id).Bind(4, static_cast<int64_t>(times.size()));
    if (!stack_.BindBytes(5, bytes_).Run()) return false;
  }
  return true;
}

bool Happenings::WriteMarks(const FrameworkSample& framework, int64_t process, const Frame& frame,
                            int64_t t) {
  for (const Mark& mark : framework.marks) {
    const std::string text = Clean(mark.text, 4096);
    mark_.Bind(1, TimeOf(mark.time, frame, t)).Bind(2, mark.time.ns).Bind(3, process);
    mark_.BindText(4, MarkName(mark.type)).BindReal(5, mark.value).BindText(6, text);
    if (!mark_.Run()) return false;
  }
  for (const OutOfMemory& oom : framework.out_of_memory) {
    const std::string stack = Clean(oom.stack, kLongestStack);
    oom_.Bind(1, TimeOf(oom.time, frame, t)).Bind(2, oom.time.ns).Bind(3, process);
    int at = 4;
    oom_.Bind(at++, oom.ordinal);
    for (const uint64_t bytes : {oom.requested, oom.total, oom.free, oom.allocated, oom.reserved,
                                 oom.active, oom.inactive_split}) {
      oom_.Bind(at++, static_cast<int64_t>(bytes));
    }
    oom_.BindText(at, stack).Bind(at + 1, oom.caught ? 1 : 0);
    if (!oom_.Run()) return false;
  }
  return true;
}

bool Happenings::WriteEvents(const Frame& frame, int64_t t) {
  for (const Event& event : frame.events) {
    event_.Bind(1, TimeOf(event.time, frame, t)).Bind(2, event.time.ns);
    event_.BindText(3, EventName(event.type));
    const int64_t device =
        event.device_uuid.empty() ? 0 : identities_.FindDevice(event.device_uuid);
    if (device == 0) {
      event_.BindNull(4);
    } else {
      event_.Bind(4, device);
    }
    if (!event_.Bind(5, event.number).Run()) return false;
  }
  return true;
}

bool Happenings::WriteProbes(const Frame& frame, int64_t t) {
  for (const ProbeStats& stats : frame.probes) {
    ProbeState& state = probes_[stats.name];
    state.durations += stats.duration_seconds;
    state.longest = std::max(state.longest, stats.duration_seconds);
    state.latest = std::max(state.latest, stats.lateness_seconds);
    ++state.samples;
    state.last = stats;
  }
  if (probes_written_ != 0 && t - probes_written_ < kProbesEveryMs) return true;
  probes_written_ = t;
  for (auto& [name, state] : probes_) {
    if (state.samples == 0) continue;
    probe_.Bind(1, t).BindText(2, name).BindReal(3, state.durations / state.samples);
    probe_.BindReal(4, state.longest).BindReal(5, state.latest);
    probe_.Bind(6, static_cast<int64_t>(state.last.failures));
    probe_.Bind(7, static_cast<int64_t>(state.last.rejected));
    probe_.Bind(8, static_cast<int64_t>(state.last.calls));
    if (!probe_.Run()) return false;
    state = ProbeState{};
  }
  return true;
}

}  // namespace gpusight::record
