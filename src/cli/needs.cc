// SPDX-License-Identifier: Apache-2.0
#include "cli/needs.h"

namespace gpusight::cli {

SamplerOptions NeedsOf(std::span<const exporting::LogField> fields, bool processes) {
  SamplerOptions options;
  options.host_facts = processes;
  options.nvml.processes = processes;
  options.nvml.gpm = false;
  options.nvml.rings = false;
  options.nvml.events = false;
  options.nvml.process_use = false;
  options.nvml.wanted.reset();
  options.host.relatives = false;
  options.host.machine = options.host.containers = options.host.open_files = false;
  for (const exporting::LogField field : fields) {
    if (field.scope == exporting::LogField::Scope::kUse) {
      if (static_cast<UseField>(field.index) != UseField::kMemory) options.nvml.process_use = true;
      continue;
    }
    if (field.scope == exporting::LogField::Scope::kProcess) {
      const auto process = static_cast<ProcessField>(field.index);
      if (process == ProcessField::kOpenFiles) options.host.open_files = true;
      if (process == ProcessField::kChildren || process == ProcessField::kLoaderWorkers) {
        options.host.relatives = true;
      }
      continue;
    }
    options.nvml.wanted.set(field.index);
    switch (static_cast<DeviceField>(field.index)) {
      case DeviceField::kUtilizationMean:
      case DeviceField::kUtilizationMax:
      case DeviceField::kIdleShare:
      case DeviceField::kPowerMean:
      case DeviceField::kPowerMax:
        options.nvml.rings = true;
        break;
      case DeviceField::kGraphicsActivity:
      case DeviceField::kSmActivity:
      case DeviceField::kSmOccupancy:
      case DeviceField::kTensorActivity:
      case DeviceField::kTensorHalf:
      case DeviceField::kTensorDouble:
      case DeviceField::kTensorInteger:
      case DeviceField::kFp64Activity:
      case DeviceField::kFp32Activity:
      case DeviceField::kFp16Activity:
      case DeviceField::kIntegerActivity:
      case DeviceField::kDramActivity:
      case DeviceField::kPcieReceive:
      case DeviceField::kPcieTransmit:
      case DeviceField::kNvlinkReceive:
      case DeviceField::kNvlinkTransmit:
        options.nvml.gpm = true;
        break;
      case DeviceField::kXidErrors:
      case DeviceField::kLastXid:
        options.nvml.events = true;
        break;
      case DeviceField::kMemoryProcesses:
      case DeviceField::kMemoryResidual:
        options.nvml.processes = true;
        break;
      default:
        break;
    }
  }
  return options;
}

}  // namespace gpusight::cli
