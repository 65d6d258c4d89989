// SPDX-License-Identifier: Apache-2.0
// Bytes that a driver may have left in the process buffer, in its process-utilisation rows and in
// its sample rings: whatever they are, only believable records come out.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "probe/nvml/process_use.h"
#include "probe/nvml/processes.h"
#include "probe/nvml/rings.h"
#include "probe/nvml/sleep_state.h"

namespace {

using namespace gpusight;
using namespace gpusight::nvml;

constexpr uint64_t kNow = 1'796'038'667'000'000;
constexpr uint64_t kTotal = uint64_t{1} << 37;

void Require(bool holds) {
  if (!holds) std::abort();
}

void Lists(const uint8_t* data, size_t size) {
  std::vector<std::byte> buffer(64 * kRecordRoom);
  Prefill(buffer);
  Require(WrittenBytes(buffer) == 0);
  std::memcpy(buffer.data(), data + 1, std::min(size - 1, buffer.size()));
  const unsigned count = data[0] % 65;
  std::vector<ProcessRecord> records;
  const Layout layout = FindLayout(buffer, count, kTotal);
  const unsigned rejected = DecodeProcesses(buffer, count, layout, kTotal, records);
  Require(records.size() <= count && rejected <= 2 * count);
  for (const ProcessRecord& record : records) {
    Require(record.pid != 0 && record.pid <= 1u << 22);
    Require(record.memory <= kTotal || record.memory >= kMemoryImplausible);
  }
}

template <typename Record>
std::vector<Record> Records(const uint8_t* data, size_t size) {
  std::vector<Record> records(size / sizeof(Record));
  if (!records.empty()) std::memcpy(records.data(), data, records.size() * sizeof(Record));
  return records;
}

void Uses(const uint8_t* data, size_t size) {
  ProcessUse use;
  uint64_t rejected = 0;
  use.Take(Records<ProcessUtilization>(data, size), kNow, rejected);
  for (const int pid : {1, 2, 600, 4194304}) {
    const ProcessUse::Sample sample = use.Of(pid);
    Require(sample.sm <= 100 && sample.memory <= 100 && sample.encoder <= 100);
  }
}

void Samples(const uint8_t* data, size_t size) {
  Ring ring(kGpuUtilizationSamples, 0.01, 1.0, 200'000);
  uint64_t rejected = 0;
  ring.Take(Records<nvml::Sample>(data, size), static_cast<ValueType>(data[0] % 9), kNow, rejected);
  std::vector<SubSample> out;
  const RingStats stats = ring.Give(out);
  Require(stats.count == out.size() || out.size() <= Ring::kMostWaiting);
  WallTime last{};
  for (const SubSample& sample : out) {
    Require(sample.value >= 0 && sample.value <= 1 && sample.time > last);
    last = sample.time;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  Lists(data, size);
  Uses(data, size);
  Samples(data, size);
  DeviceInfo info;
  ParseKernelInformation({reinterpret_cast<const char*>(data), size}, info);
  return 0;
}
