// SPDX-License-Identifier: Apache-2.0
#include "export/holders.h"

#include <algorithm>

#include "base/units.h"
#include "model/text/status.h"

namespace gpusight::exporting {
namespace {

// Above this contexts and the driver's own needs do not explain memory that nobody is listed for.
constexpr double kDriversOwn = 256.0 * 1024 * 1024;

ResidualKind KindOf(const Account& account, bool anybody, const Known<bool>& sees_all) {
  if (!account.residual) return ResidualKind::kUnknown;
  if (*account.residual < 0) return ResidualKind::kNegative;
  if (*account.residual == 0) return ResidualKind::kNone;
  if (*account.residual <= kDriversOwn) {
    return anybody ? ResidualKind::kContexts : ResidualKind::kIdle;
  }
  if (sees_all) return *sees_all ? ResidualKind::kUnowned : ResidualKind::kUnlisted;
  return anybody ? ResidualKind::kContexts : ResidualKind::kUnlisted;
}

const ContainerSample* ContainerOf(const Frame& frame, const ProcessSample& process) {
  const auto at = static_cast<size_t>(process.container_index);
  if (process.container_index < 0 || at >= frame.containers.size()) return nullptr;
  return &frame.containers[at];
}

}  // namespace

std::string_view Name(ResidualKind kind) {
  switch (kind) {
    case ResidualKind::kUnknown:
      return "unknown";
    case ResidualKind::kNone:
      return "none";
    case ResidualKind::kNegative:
      return "counted_twice";
    case ResidualKind::kUnlisted:
      return "hidden_owners";
    case ResidualKind::kUnowned:
      return "no_owner";
    case ResidualKind::kContexts:
      return "contexts_and_driver";
    case ResidualKind::kIdle:
      return "driver";
  }
  return "?";
}

DeviceHolders HoldersOf(const Frame& frame, size_t device) {
  DeviceHolders out;
  out.account = AccountOf(frame, device);
  for (const ProcessSample& process : frame.processes) {
    for (const GpuUse& use : process.uses) {
      if (static_cast<size_t>(use.device) != device) continue;
      out.holders.push_back({&process, &use});
      if (process.zombie) {
        ++out.zombies;
        out.zombie_bytes += use.fields[UseField::kMemory].value_or(0);
      }
      if (process.translated) continue;
      ++out.hidden;
      out.hidden_bytes += use.fields[UseField::kMemory].value_or(0);
    }
  }
  std::stable_sort(out.holders.begin(), out.holders.end(), [](const Holder& a, const Holder& b) {
    return a.use->fields[UseField::kMemory].value_or(-1) >
           b.use->fields[UseField::kMemory].value_or(-1);
  });
  out.residual = KindOf(out.account, !out.holders.empty(), frame.host.sees_all_processes);
  return out;
}

std::string ZombieAmount(const DeviceHolders& device, Language language) {
  return device.zombie_bytes > 0 ? FormatBytes(device.zombie_bytes)
                                 : Say(language, text::kUnknownAmount);
}

Known<std::string> ContainerOrPod(const Frame& frame, const ProcessSample& process) {
  const ContainerSample* container = ContainerOf(frame, process);
  if (container != nullptr && !container->pod_name.empty()) return container->pod_name;
  return process.container;
}

std::string_view JobOf(const Frame& frame, const ProcessSample& process) {
  if (!process.slurm_job.empty()) return process.slurm_job;
  const ContainerSample* container = ContainerOf(frame, process);
  return container != nullptr ? std::string_view(container->slurm_job) : std::string_view();
}

}  // namespace gpusight::exporting
