// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml/capture_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "probe/nvml/capture_values.h"
#include "probe/nvml/processes.h"

namespace gpusight::nvml {
namespace {

using ListCall = Return (*)(Device, unsigned*, void*);

CapturedProcess& Find(std::vector<CapturedProcess>& processes, uint32_t pid, uint32_t gpu_instance,
                      uint32_t compute_instance, bool& fresh) {
  for (CapturedProcess& process : processes) {
    if (process.pid == pid &&
        (gpu_instance == ~0u ||
         (process.gpu_instance == gpu_instance && process.compute_instance == compute_instance))) {
      fresh = false;
      return process;
    }
  }
  fresh = true;
  CapturedProcess& process = processes.emplace_back();
  process.pid = pid;
  process.gpu_instance = gpu_instance;
  process.compute_instance = compute_instance;
  return process;
}

// The records of one list, and their stride.
std::vector<ProcessRecord> Read(const char* name, ListCall call, Device device, const Clock& clock,
                                CapturedDevice& out, uint32_t& stride) {
  std::vector<ProcessRecord> records;
  if (call == nullptr) return records;
  for (size_t room = 256; room <= size_t{1} << 16; room *= 4) {
    std::vector<std::byte> buffer(room * kRecordRoom);
    auto count = static_cast<unsigned>(room);
    Prefill(buffer);
    const Stopwatch watch(clock);
    const Return code = call(device, &count, buffer.data());
    if (code == kInsufficientSize) continue;
    out.answers.push_back({name, watch.Members() + CodeText(code)});
    if (code != kSuccess) return records;
    count = std::min(count, static_cast<unsigned>(room));
    const Layout layout = FindLayout(buffer, count, out.memory.total);
    if (layout.stride != 0 && count > 0) stride = static_cast<uint32_t>(layout.stride);
    (void)DecodeProcesses(buffer, count, layout, out.memory.total, records);
    return records;
  }
  return records;
}

void RecordUse(const Calls& calls, Device device, const Clock& clock, CapturedDevice& out) {
  if (calls.nvmlDeviceGetProcessUtilization == nullptr) return;
  std::vector<ProcessUtilization> samples(4096);
  auto count = static_cast<unsigned>(samples.size());
  const Stopwatch watch(clock);
  const Return code = calls.nvmlDeviceGetProcessUtilization(device, samples.data(), &count, 0);
  // 6 only means that all are idle.
  out.answers.push_back({"nvmlDeviceGetProcessUtilization",
                         watch.Members() + CodeText(code == kNotFound ? kSuccess : code)});
  if (code != kSuccess) return;
  samples.resize(std::min<size_t>(count, samples.size()));
  for (const ProcessUtilization& sample : samples) {
    if (sample.pid == 0 || sample.sm > 100 || sample.memory > 100) continue;
    bool fresh = false;
    CapturedProcess& process = Find(out.processes, sample.pid, ~0u, ~0u, fresh);
    if (fresh) process.listed = false;
    const uint32_t use[] = {sample.sm, sample.memory, sample.encoder, sample.decoder};
    std::copy(std::begin(use), std::end(use), std::begin(process.use));
  }
}

}  // namespace

void RecordProcesses(const Calls& calls, Device device, const Clock& clock, CapturedDevice& out,
                     uint32_t (&record_bytes)[4]) {
  struct Row {
    const char* name;
    ListCall call;
    size_t generation;
    bool CapturedProcess::* flag;
  };
#define GPUSIGHT_LIST(name, generation, flag) \
  Row { #name, calls.name, generation, &CapturedProcess::flag }
  const Row rows[] = {
      GPUSIGHT_LIST(nvmlDeviceGetComputeRunningProcesses_v3, 3, compute),
      GPUSIGHT_LIST(nvmlDeviceGetComputeRunningProcesses_v2, 2, compute),
      GPUSIGHT_LIST(nvmlDeviceGetComputeRunningProcesses, 1, compute),
      GPUSIGHT_LIST(nvmlDeviceGetGraphicsRunningProcesses_v3, 3, graphics),
      GPUSIGHT_LIST(nvmlDeviceGetGraphicsRunningProcesses_v2, 2, graphics),
      GPUSIGHT_LIST(nvmlDeviceGetGraphicsRunningProcesses, 1, graphics),
      GPUSIGHT_LIST(nvmlDeviceGetMPSComputeRunningProcesses_v3, 3, mps),
      GPUSIGHT_LIST(nvmlDeviceGetMPSComputeRunningProcesses_v2, 2, mps),
      GPUSIGHT_LIST(nvmlDeviceGetMPSComputeRunningProcesses, 1, mps),
  };
#undef GPUSIGHT_LIST
  for (const Row& row : rows) {
    for (const ProcessRecord& record :
         Read(row.name, row.call, device, clock, out, record_bytes[row.generation])) {
      bool fresh = false;
      CapturedProcess& process =
          Find(out.processes, record.pid, record.gpu_instance, record.compute_instance, fresh);
      process.*row.flag = true;
      if (!fresh) continue;
      const bool told = record.memory != kMemoryImplausible;
      process.memory = told ? record.memory : kMemoryUnknown;
    }
  }
  RecordUse(calls, device, clock, out);
}

}  // namespace gpusight::nvml
