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
    return sample.known ? Known<double>(percent / 100.0) : Known<double>(gpu.use.missing());
  };
  out.fields[UseField::kSm] = ratio(sample.sm);
  out.fields[UseField::kMemoryActivity] = ratio(sample.memory);
  out.fields[UseField::kEncoder] = ratio(sample.encoder);
  out.fields[UseField::kDecoder] = ratio(sample.decoder);
}

// Drains differ in size; a copy that takes as much room as its original grows no more than that.
void CopyRoom(const std::vector<SubSample>& from, std::vector<SubSample>& to) {
  if (to.capacity() < from.size()) to.reserve(from.capacity());
}

size_t CountPids(const std::vector<Use>& uses) {
  size_t pids = 0;
  for (size_t i = 0; i < uses.size(); ++i) pids += i == 0 || uses[i - 1].pid != uses[i].pid;
  return pids;
}

}  // namespace

void CardReader::Fill(Frame& frame) {
  auto& gpus = devices_.gpus();
  frame.driver = connection_.info();
  frame.devices.resize(gpus.size());
  for (size_t i = 0; i < gpus.size(); ++i) {
    const DeviceSample& sample = gpus[i]->sample;
    CopyRoom(sample.utilization_ring, frame.devices[i].utilization_ring);
    CopyRoom(sample.memory_activity_ring, frame.devices[i].memory_activity_ring);
    CopyRoom(sample.power_ring, frame.devices[i].power_ring);
    frame.devices[i] = sample;
    gpus[i]->sample.xids.clear();
  }
  std::vector<Event>& events = devices_.events();
  frame.events.insert(frame.events.end(), events.begin(), events.end());
  events.clear();

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
      nvml::Fill(process.uses[k - i], uses_[k], *gpus[uses_[k].device]);
    }
    i = end;
  }
}

}  // namespace gpusight::nvml
