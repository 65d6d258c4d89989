// SPDX-License-Identifier: Apache-2.0
// Checks of the devices: are they there, in which modes, and who hangs on to them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/units.h"
#include "cli/doctor/check.h"
#include "cli/doctor/device_list.h"
#include "model/text/doctor.h"
#include "model/text/doctor_devices.h"

namespace gpusight::doctor {
namespace {

using F = DeviceField;

Devices InState(const Frame& frame, DeviceState state) {
  Devices devices;
  for (const DeviceSample& device : frame.devices) {
    if (device.state == state && !device.is_mig_instance()) devices.push_back(&device);
  }
  return devices;
}

void Broken(const Facts& facts, Report& report) {
  const Frame& frame = facts.frame;
  if (const auto lost = InState(frame, DeviceState::kLost); !lost.empty()) {
    report.Problem("device.lost", text::kDeviceLost, Named(lost)).Remedy(text::kDeviceLostRemedy);
  }
  if (const auto reset = InState(frame, DeviceState::kNeedsReset); !reset.empty()) {
    report.Problem("device.needs_reset", text::kDeviceReset, Named(reset))
        .Remedy(text::kDeviceResetRemedy, Indices(reset));
  }
  if (const auto denied = InState(frame, DeviceState::kNoPermission); !denied.empty()) {
    report.Problem("device.permission", text::kDeviceDenied, Named(denied))
        .Remedy(text::kAskOperator);
  }
  if (const auto silent = InState(frame, DeviceState::kNoAnswer); !silent.empty()) {
    report.Problem("device.silent", text::kDeviceSilent, Named(silent))
        .Remedy(text::kDeviceLostRemedy);
  }
  if (const auto asleep = InState(frame, DeviceState::kSuspended); !asleep.empty()) {
    report.Note("device.asleep", text::kDeviceAsleep, Named(asleep));
  }
}

}  // namespace

void CheckDevices(const Facts& facts, Report& report) {
  Broken(facts, report);
  const auto good = InState(facts.frame, DeviceState::kOk);
  if (good.empty()) return;
  std::map<std::string, int> counts;
  for (const DeviceSample* device : good) ++counts[device->info.name];
  std::vector<std::string> names;
  names.reserve(counts.size());
  for (const auto& [name, count] : counts) {
    names.push_back(count > 1 ? fmt::format("{} x {}", count, name) : name);
  }
  report.Ok("device", text::kDevicesOk, Named(good), fmt::format("{}", fmt::join(names, ", ")));
}

void CheckPersistence(const Facts& facts, Report& report) {
  const auto off = Select(
      facts.frame, [](const DeviceSample& device) { return Is(device, F::kPersistenceMode, 0); });
  const auto on = Select(
      facts.frame, [](const DeviceSample& device) { return Is(device, F::kPersistenceMode, 1); });
  if (!off.empty()) {
    report.Note("device.persistence", text::kPersistenceOff, Named(off))
        .Remedy(facts.subject.container.in ? text::kAskOperator : text::kPersistenceOffRemedy);
  } else if (!on.empty()) {
    report.Ok("device.persistence", text::kPersistenceOn);
  }
}

void CheckComputeMode(const Facts& facts, Report& report) {
  constexpr double kProhibited = 2;
  const auto prohibited = Select(facts.frame, [](const DeviceSample& device) {
    return Is(device, F::kComputeMode, kProhibited);
  });
  const auto exclusive = Select(facts.frame, [](const DeviceSample& device) {
    return Above(device, F::kComputeMode, 0) && !Is(device, F::kComputeMode, kProhibited);
  });
  const auto normal = Select(
      facts.frame, [](const DeviceSample& device) { return Is(device, F::kComputeMode, 0); });
  if (!prohibited.empty()) {
    report.Problem("device.compute_mode", text::kComputeProhibited, Named(prohibited))
        .Remedy(text::kComputeRemedy, Indices(prohibited));
  }
  if (!exclusive.empty()) {
    report.Note("device.compute_mode", text::kComputeExclusive, Named(exclusive))
        .Remedy(text::kComputeRemedy, Indices(exclusive));
  }
  if (prohibited.empty() && exclusive.empty() && !normal.empty()) {
    report.Ok("device.compute_mode", text::kComputeDefault);
  }
}

void CheckMig(const Facts& facts, Report& report) {
  const auto instances_of = [&](const DeviceSample& card) {
    return std::count_if(
        facts.frame.devices.begin(), facts.frame.devices.end(), [&](const DeviceSample& other) {
          return other.is_mig_instance() && other.info.parent_uuid == card.info.uuid;
        });
  };
  const auto on =
      Select(facts.frame, [](const DeviceSample& card) { return Is(card, F::kMigMode, 1); });
  Devices empty;
  for (const DeviceSample* card : on) {
    if (const auto count = instances_of(*card); count > 0) {
      report.Ok("device.mig", text::kMigInstances, Named({card}), count);
    } else {
      empty.push_back(card);
    }
  }
  if (empty.empty()) return;
  report.Problem("device.mig", text::kMigEmpty, Named(empty))
      .Remedy(text::kMigEmptyRemedy, Indices(empty));
}

void CheckHolders(const Facts& facts, Report& report) {
  for (const ProcessSample& process : facts.frame.processes) {
    if (!process.zombie) continue;
    for (const GpuUse& use : process.uses) {
      const auto& memory = use.fields[UseField::kMemory];
      const auto at = static_cast<size_t>(use.device);
      if (!memory || *memory <= 0 || at >= facts.frame.devices.size()) continue;
      report
          .Problem("device.holder", text::kHolderZombie, Named({&facts.frame.devices[at]}),
                   process.pid, FormatBytes(*memory))
          .Remedy(text::kHolderZombieRemedy, process.pid);
    }
  }
}

}  // namespace gpusight::doctor
