// SPDX-License-Identifier: Apache-2.0
// Checks of the devices' health: power limits, slowdowns, memory errors, XID errors.
#include <algorithm>
#include <map>

#include "base/units.h"
#include "cli/doctor/check.h"
#include "cli/doctor/device_list.h"
#include "model/text/doctor_devices.h"
#include "model/xid.h"

namespace gpusight::doctor {
namespace {

using F = DeviceField;

bool HasReason(const DeviceSample& device, uint64_t bits) {
  const auto& reasons = device[F::kClockEventReasons];
  return reasons && (static_cast<uint64_t>(*reasons) & bits) != 0;
}

struct XidAdvice {
  const Text* meaning;
  const Text* remedy;  // null: none
  State state;
};

XidAdvice AdviceOf(int xid) {
  const XidKind kind = KindOfXid(xid);
  const XidText text = TextOf(kind);
  return {text.meaning, text.remedy, IsOfTheCard(kind) ? State::kProblem : State::kNote};
}

}  // namespace

void CheckPower(const Facts& facts, Report& report) {
  constexpr double kRounding = 1;  // watts
  const auto known = Select(facts.frame, [](const DeviceSample& device) {
    return device[F::kPowerLimit].known() && device[F::kPowerLimitDefault].known();
  });
  std::map<std::pair<double, double>, Devices> low;
  for (const DeviceSample* device : known) {
    const double limit = *(*device)[F::kPowerLimit], normal = *(*device)[F::kPowerLimitDefault];
    if (limit < normal - kRounding) low[{limit, normal}].push_back(device);
  }
  for (const auto& [limits, devices] : low) {
    report.Note("device.power_limit", text::kPowerLow, Named(devices), limits.first, limits.second)
        .Remedy(text::kPowerLowRemedy, Indices(devices), limits.second);
  }
  if (low.empty() && !known.empty()) report.Ok("device.power_limit", text::kPowerOk);
}

void CheckClocks(const Facts& facts, Report& report) {
  constexpr uint64_t kApplication = 0x2, kHardware = 0x8, kSoftThermal = 0x20, kHardThermal = 0x40,
                     kBrake = 0x80;
  constexpr double kNearLimit = 3;  // degrees
  bool fine = true;
  for (const DeviceSample* device : Select(facts.frame, [](const DeviceSample&) { return true; })) {
    const Devices one = {device};
    const bool near = device->fields[F::kTemperatureMargin].known() &&
                      *(*device)[F::kTemperatureMargin] <= kNearLimit;
    if (near || HasReason(*device, kSoftThermal | kHardThermal)) {
      report
          .Problem("device.slowdown", text::kClocksHot, Named(one),
                   (*device)[F::kTemperature].value_or(0))
          .Remedy(text::kClocksHotRemedy, device->info.index);
    } else if (HasReason(*device, kBrake)) {
      report.Problem("device.slowdown", text::kClocksBrake, Named(one))
          .Remedy(text::kClocksBrakeRemedy, device->info.index);
    } else if (HasReason(*device, kHardware)) {
      report.Note("device.slowdown", text::kClocksHardware, Named(one))
          .Remedy(text::kClocksBrakeRemedy, device->info.index);
    } else {
      continue;
    }
    fine = false;
  }
  const auto fixed = Select(
      facts.frame, [](const DeviceSample& device) { return HasReason(device, kApplication); });
  if (!fixed.empty()) {
    report.Note("device.clocks", text::kClocksApplication, Named(fixed))
        .Remedy(text::kClocksApplicationRemedy, Indices(fixed));
  }
  const auto known = Select(facts.frame, [](const DeviceSample& device) {
    return device[F::kClockEventReasons].known();
  });
  if (fine && !known.empty()) report.Ok("device.slowdown", text::kClocksOk);
}

void CheckEcc(const Facts& facts, Report& report) {
  bool fine = true;
  for (const DeviceSample* device : Select(facts.frame, [](const DeviceSample&) { return true; })) {
    const Devices one = {device};
    if (Above(*device, F::kEccUncorrected, 0)) {
      report.Problem("device.ecc", text::kEccNow, Named(one), *(*device)[F::kEccUncorrected])
          .Remedy(text::kEccNowRemedy, device->info.index);
      fine = false;
    } else if (Above(*device, F::kEccUncorrectedLifetime, 0)) {
      report.Note("device.ecc", text::kEccLifetime, Named(one),
                  *(*device)[F::kEccUncorrectedLifetime]);
      fine = false;
    }
  }
  const auto off =
      Select(facts.frame, [](const DeviceSample& device) { return Is(device, F::kEccMode, 0); });
  const auto on =
      Select(facts.frame, [](const DeviceSample& device) { return Is(device, F::kEccMode, 1); });
  if (!off.empty()) report.Ok("device.ecc_mode", text::kEccOff, Named(off));
  if (fine && !on.empty()) report.Ok("device.ecc", text::kEccOk);
}

void CheckRemap(const Facts& facts, Report& report) {
  constexpr double kMany = 10;  // most machines with more soon fail again
  bool fine = true;
  bool known = false;
  for (const DeviceSample* device : Select(facts.frame, [](const DeviceSample&) { return true; })) {
    const Devices one = {device};
    known = known || (*device)[F::kRemapPending].known();
    const double replaced = (*device)[F::kRemappedUncorrectable].value_or(0);
    if (Above(*device, F::kRemapFailed, 0)) {
      report.Problem("device.remap", text::kRemapFailed, Named(one))
          .Remedy(text::kRemapFailedRemedy, device->info.index);
    } else if (Above(*device, F::kRemapPending, 0)) {
      report.Problem("device.remap", text::kRemapPending, Named(one))
          .Remedy(text::kDeviceResetRemedy, device->info.index);
    } else if (replaced > kMany) {
      report.Problem("device.remap", text::kRemapMany, Named(one), replaced)
          .Remedy(text::kRemapFailedRemedy, device->info.index);
    } else if (replaced > 0) {
      report.Note("device.remap", text::kRemapMany, Named(one), replaced);
    } else if (Above(*device, F::kRetiredPages, 0)) {
      report.Note("device.remap", text::kPagesRetired, Named(one), *(*device)[F::kRetiredPages]);
    } else {
      continue;
    }
    fine = false;
  }
  if (fine && known) report.Ok("device.remap", text::kRemapOk);
}

void CheckXids(const Facts& facts, Report& report) {
  const Machine& machine = facts.machine;
  struct Seen {
    int times = 0;
    double last = 0;
  };
  std::map<std::pair<int, std::string>, Seen> seen;
  for (const XidMessage& message : machine.xids) {
    Seen& entry = seen[{message.xid, message.bus_id}];
    ++entry.times;
    entry.last = std::max(entry.last, message.seconds);
  }
  for (const auto& [key, entry] : seen) {
    const auto& [xid, bus_id] = key;
    const XidAdvice advice = AdviceOf(xid);
    const std::string meaning = Say(report.language(), *advice.meaning);
    const std::string when = FormatDuration(entry.last);
    if (advice.state == State::kProblem) {
      report.Problem("device.xid", text::kXidSeen, xid, bus_id, entry.times, when, meaning);
    } else {
      report.Note("device.xid", text::kXidSeen, xid, bus_id, entry.times, when, meaning);
    }
    if (advice.remedy != nullptr) report.Remedy(*advice.remedy);
  }
  // The driver's own memory of it, for where the log cannot be read.
  const auto remembered =
      Select(facts.frame, [](const DeviceSample& device) { return Above(device, F::kLastXid, 0); });
  for (const DeviceSample* device : seen.empty() ? remembered : Devices()) {
    const int xid = static_cast<int>(*(*device)[F::kLastXid]);
    const XidAdvice advice = AdviceOf(xid);
    report.Note("device.xid", text::kXidLast, Named({device}), xid,
                Say(report.language(), *advice.meaning));
    if (advice.remedy != nullptr) report.Remedy(*advice.remedy);
  }
  if (!seen.empty() || !remembered.empty() || facts.frame.devices.empty()) return;
  const bool forbidden =
      !machine.kernel_log && machine.kernel_log.missing().why == Absence::kNoPermission;
  if (machine.kernel_log.value_or(false)) {
    report.Ok("device.xid", text::kXidNone);
  } else if (forbidden && !facts.subject.container.in) {
    report.Note("device.xid", text::kXidUnreadable).Remedy(text::kXidUnreadableRemedy);
  }
}

}  // namespace gpusight::doctor
