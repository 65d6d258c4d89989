// SPDX-License-Identifier: Apache-2.0
// From what the driver thread knows to a frame. Everything is assigned in place, so that a frame
// used again allocates nothing.
#include <utility>

#include "probe/nvml/card_reader.h"

namespace gpusight::nvml {
namespace {

Known<double> MemoryOf(const Use& use) {
  if (use.memory == kMemoryUnknown) return Absence::kNotSupported;
  if (use.memory == kMemoryImplausible) return Absence::kImplausible;
  return static_cast<double>(use.memory);
}

void Fill(GpuUse& out, const Use& use, const Gpu& gpu) {
  out.device = use.device;
  out.types = use.types;
  out.fields[UseField::kMemory] = MemoryOf(use);
  const ProcessUse::Sample sample = gpu.use.Of(use.pid);
  const auto ratio = [&](uint8_t percent) {
    return sample.known ? Known<double>(percent * 0.01) : Known<double>(gpu.use.missing());
  };
  out.fields[UseField::kSm] = ratio(sample.sm);
  out.fields[UseField::kMemoryActivity] = ratio(sample.memory);
  out.fields[UseField::kEncoder] = ratio(sample.encoder);
  out.fields[UseField::kDecoder] = ratio(sample.decoder);
}

size_t CountPids(const std::vector<Use>& uses) {
  size_t pids = 0;
  for (size_t i = 0; i < uses.size(); ++i) pids += i == 0 || uses[i - 1].pid != uses[i].pid;
  return pids;
}

}  // namespace

void CardReader::Fill(Frame& frame) {
  frame.driver = info_;
  frame.devices.resize(gpus_.size());
  for (size_t i = 0; i < gpus_.size(); ++i) {
    frame.devices[i] = gpus_[i]->sample;
    gpus_[i]->sample.xids.clear();
  }
  frame.events.insert(frame.events.end(), events_.begin(), events_.end());
  events_.clear();

  SetProcessCount(frame, CountPids(uses_));
  size_t next = 0;
  for (size_t i = 0; i < uses_.size();) {
    ProcessSample& process = frame.processes[next++];
    Reset(process);
    process.pid = uses_[i].pid;
    size_t end = i;
    while (end < uses_.size() && uses_[end].pid == process.pid) ++end;
    process.uses.resize(end - i);
    for (size_t k = i; k < end; ++k) {
      nvml::Fill(process.uses[k - i], uses_[k], *gpus_[uses_[k].device]);
    }
    i = end;
  }
}

}  // namespace gpusight::nvml
