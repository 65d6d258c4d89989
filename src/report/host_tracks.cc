// SPDX-License-Identifier: Apache-2.0
#include "report/host_tracks.h"

#include <iterator>

namespace gpusight::report {
namespace {

using H = HostField;

constexpr H kLevels[] = {H::kCpu,         H::kCpuIoWait,      H::kShmUsed,
                         H::kCpuPressure, H::kMemoryPressure, H::kIoPressure,
                         H::kDiskBusy};
struct Rate {
  H field;
  std::string_view name;
};
constexpr Rate kRateFields[] = {
    {H::kDiskRead, "disk_read_bytes_per_second"},
    {H::kDiskWritten, "disk_written_bytes_per_second"},
    {H::kNetworkReceive, "network_receive_bytes_per_second"},
    {H::kNetworkTransmit, "network_transmit_bytes_per_second"},
};

Known<double> PerSecond(const Known<double>& amount, double seconds) {
  if (!amount) return amount;
  if (seconds <= 0) return Absence::kNotSampledYet;
  return *amount / seconds;
}

// The container of the first process that uses a device; null when there is none.
const ContainerSample* JobContainer(const Frame& frame) {
  for (const ProcessSample& process : frame.processes) {
    if (process.uses.empty() || process.container_index < 0) continue;
    const auto at = static_cast<size_t>(process.container_index);
    if (at < frame.containers.size()) return &frame.containers[at];
  }
  return nullptr;
}

}  // namespace

HostTracks::HostTracks(const Grid& grid)
    : memory_used_(grid),
      container_cpu_(grid),
      container_throttled_(grid),
      container_memory_(grid),
      container_limit_(grid) {
  static_assert(std::size(kRateFields) == kRates);
  for ([[maybe_unused]] const H field : kLevels) levels_.emplace_back(grid);
  for ([[maybe_unused]] const Rate& rate : kRateFields) rates_.emplace_back(grid);
}

void HostTracks::Add(Reach reach, const Frame& frame) {
  const auto& host = frame.host.fields;
  for (size_t i = 0; i < levels_.size(); ++i) levels_[i].Add(reach, host[kLevels[i]]);
  for (size_t i = 0; i < rates_.size(); ++i) {
    rates_[i].Add(reach, PerSecond(counters_[i].Since(host[kRateFields[i].field]), reach.seconds));
  }
  const auto& total = host[H::kMemoryTotal];
  const auto& available = host[H::kMemoryAvailable];
  memory_used_.Add(
      reach, total && available ? Known<double>(*total - *available) : (total ? available : total));
  const ContainerSample* container = JobContainer(frame);
  if (container == nullptr) return;
  using C = ContainerField;
  const auto& fields = container->fields;
  container_cpu_.Add(reach, PerSecond(container_usage_.Since(fields[C::kCpuUsage]), reach.seconds));
  container_throttled_.Add(
      reach, PerSecond(container_throttle_.Since(fields[C::kThrottledTime]), reach.seconds));
  container_memory_.Add(reach, fields[C::kMemoryCurrent]);
  container_limit_.Add(reach, fields[C::kMemoryLimit]);
}

void HostTracks::TakeCurves(std::vector<NamedCurve>& curves) {
  for (size_t i = 0; i < levels_.size(); ++i) {
    const CatalogRow& row = Row(kLevels[i]);
    curves.push_back({row.name, row.unit, levels_[i].Take()});
  }
  curves.push_back({"memory_used_bytes", Unit::kBytes, memory_used_.Take()});
  for (size_t i = 0; i < rates_.size(); ++i) {
    curves.push_back({kRateFields[i].name, Unit::kBytesPerSecond, rates_[i].Take()});
  }
  if (!container_cpu_.used()) return;
  curves.push_back({"container_cpu_cores", Unit::kCores, container_cpu_.Take()});
  curves.push_back(
      {"container_throttled_seconds_per_second", Unit::kNumber, container_throttled_.Take()});
  curves.push_back({"container_memory_current_bytes", Unit::kBytes, container_memory_.Take()});
  curves.push_back({"container_memory_limit_bytes", Unit::kBytes, container_limit_.Take()});
}

}  // namespace gpusight::report
