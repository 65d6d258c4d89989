// SPDX-License-Identifier: Apache-2.0
#include "cli/run_signs.h"

#include <algorithm>

#include "base/text.h"
#include "record/run_end.h"
#include "report/post_mortem.h"

namespace gpusight::cli {
namespace {

constexpr size_t kMostXids = 20, kLongestException = 4096;
constexpr int64_t kMinute = 60 * int64_t{1'000'000'000};

bool Mentions(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

bool IsOfADevice(const report::PostMortem& one) {
  return one.cause != "host_memory" && one.cause != "shared_memory" && !one.caught;
}

}  // namespace

void EndSigns::AddFramework(const FrameworkSample& framework) {
  for (const OutOfMemory& one : framework.out_of_memory) {
    ran_out_ = true;
    out_of_memory_[framework.pid] = one.time;
  }
  if (const auto at = out_of_memory_.find(framework.pid); at != out_of_memory_.end()) {
    for (const StepSample& step : framework.steps) {
      if (step.end <= at->second) continue;
      out_of_memory_.erase(at);
      break;
    }
  }
  for (const Mark& mark : framework.marks) {
    if (mark.type != MarkType::kException) continue;
    // Ranks end one after the other for the first one's sake.
    if (!exception_.empty() && told_at_ <= mark.time) continue;
    told_at_ = mark.time;
    exception_ = mark.text;
  }
}

// The most of the last minute: what a process has in it goes with the process.
void EndSigns::AddShm(const Frame& frame, const ContainerSample* container) {
  Shm now{frame.time, Absence::kNotSupported, Absence::kNotSupported};
  if (container != nullptr) {
    now.total = container->fields[ContainerField::kShmTotal];
    now.used = container->fields[ContainerField::kShmUsed];
  }
  if (!now.total || !now.used) {
    now.total = frame.host.fields[HostField::kShmTotal];
    now.used = frame.host.fields[HostField::kShmUsed];
  }
  if (!now.total || !now.used) return;
  std::erase_if(shm_, [&](const Shm& old) {
    return frame.time.ns - old.time.ns > kMinute || *old.used <= *now.used;
  });
  shm_.push_back(now);
}

void EndSigns::Add(const Frame& frame, const ContainerSample* container) {
  for (const ProcessSample& process : frame.processes) {
    outsiders_ = outsiders_ || !process.translated;
    if (!process.in_job) continue;
    for (const GpuUse& use : process.uses) {
      const auto at = static_cast<size_t>(use.device);
      if (use.device >= 0 && at < frame.devices.size()) used_.insert(frame.devices[at].info.uuid);
    }
  }
  for (const FrameworkSample& framework : frame.frameworks) {
    if (!IsOfAnotherJob(framework, frame)) AddFramework(framework);
  }
  for (const Event& event : frame.events) {
    if (event.type == EventType::kXid && xids_.size() < kMostXids) xids_.push_back(event);
  }
  AddShm(frame, container);
}

void EndSigns::Complete(ExitFacts& facts, std::string_view output) const {
  facts.exception = exception_;
  if (facts.exception.empty())
    facts.exception = Capped(record::ExceptionIn(output), kLongestException);
  if (facts.exception.empty() && !record::CudaErrorIn(output).empty()) {
    facts.exception = "CUDA error: " + std::string(record::CudaErrorIn(output));
  }
  for (const Event& event : xids_) {
    const bool ours = used_.contains(event.device_uuid) || (used_.empty() && outsiders_);
    if (ours) facts.xids.push_back(event);
  }
  if (!shm_.empty()) {
    // The oldest of those kept is the fullest.
    facts.shm_total = shm_.front().total;
    facts.shm_used = shm_.front().used;
  }
  const bool otherwise = !facts.exception.empty() && !Mentions(facts.exception, "emory");
  facts.out_of_memory = !out_of_memory_.empty() && !otherwise;
  if (facts.out_of_memory || otherwise) return;
  const auto told = report::ExplainOutput(facts.exception.empty() ? output : facts.exception);
  facts.out_of_memory = std::any_of(told.begin(), told.end(), IsOfADevice);
}

}  // namespace gpusight::cli
