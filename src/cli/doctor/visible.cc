// SPDX-License-Identifier: Apache-2.0
// The check of CUDA_VISIBLE_DEVICES: which devices a job here would see, and as which numbers.
#include <fmt/format.h>

#include <algorithm>

#include "cli/doctor/check.h"
#include "model/text/doctor_environment.h"
#include "probe/host/visible_devices.h"

namespace gpusight::doctor {
namespace {

constexpr std::string_view kId = "environment.visible_devices";

// "GPU 2, GPU 0" in CUDA's order.
std::string InOrder(const std::vector<const DeviceInfo*>& devices, const std::vector<int>& order) {
  std::vector<std::string> names;
  for (const int at : order) {
    const DeviceInfo& info = *devices[static_cast<size_t>(at)];
    names.push_back(info.parent_uuid.empty() ? fmt::format("GPU {}", info.index) : info.uuid);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// What to set instead: the entries before the one that spoils the list, or all devices.
std::string Whole(const std::vector<const DeviceInfo*>& devices, const std::vector<int>& order) {
  std::vector<std::string> entries;
  for (const int at : order) entries.push_back(devices[static_cast<size_t>(at)]->uuid);
  if (entries.empty()) {
    for (const DeviceInfo* info : devices) {
      if (info->parent_uuid.empty()) entries.push_back(fmt::format("{}", info->index));
    }
  }
  return fmt::format("{}", fmt::join(entries, ","));
}

bool InMig(const std::vector<const DeviceInfo*>& devices, const std::vector<int>& order) {
  return order.size() == 1 && !devices[static_cast<size_t>(order.front())]->parent_uuid.empty();
}

}  // namespace

void CheckVisibleDevices(const Facts& facts, Report& report) {
  if (!facts.subject.environment_known || facts.frame.devices.empty()) return;
  std::vector<const DeviceInfo*> devices;
  for (const DeviceSample& device : facts.frame.devices) devices.push_back(&device.info);
  const auto variable = facts.subject.Variable("CUDA_VISIBLE_DEVICES");
  const auto order = facts.subject.Variable("CUDA_DEVICE_ORDER").value_or("");
  const auto seen = host::ParseCudaVisibleDevices(variable, order, devices);
  const std::string_view value = variable.value_or("");
  const std::string better = Whole(devices, seen.devices);
  if (!variable && InMig(devices, seen.devices)) {
    report.Note(kId, text::kVisibleMigUnset, better).Remedy(text::kVisibleMigRemedy);
    return;
  }
  switch (seen.end) {
    case host::ListEnd::kWhole:
      if (variable) {
        report.Ok(kId, text::kVisibleSet, value, InOrder(devices, seen.devices));
      } else {
        report.Ok(kId, text::kVisibleUnset);
      }
      break;
    case host::ListEnd::kEmpty:
      report.Note(kId, text::kVisibleEmpty).Remedy(text::kVisibleEmptyRemedy);
      break;
    case host::ListEnd::kNoDevice:
      // Set so in order to hide devices: CUDA's own way, and the one of Docker's runtime.
      if (seen.entry == "-1" || seen.entry == "NoDevFiles") {
        if (seen.devices.empty()) {
          report.Note(kId, text::kVisibleNone, value).Remedy(text::kVisibleEmptyRemedy);
        } else {
          report.Note(kId, text::kVisibleEndedHere, value, seen.entry, seen.devices.size());
        }
        break;
      }
      report.Problem(kId, text::kVisibleNoDevice, value, seen.entry, seen.devices.size())
          .Remedy(text::kVisibleRemedy, better);
      break;
    case host::ListEnd::kAmbiguous:
      report.Problem(kId, text::kVisibleAmbiguous, value, seen.entry)
          .Remedy(text::kVisibleRemedy, better);
      break;
    case host::ListEnd::kWrongKind:
      report.Problem(kId, text::kVisibleWrongKind, value, seen.entry)
          .Remedy(text::kVisibleRemedy, better);
      break;
    case host::ListEnd::kRepeated:
      report.Problem(kId, text::kVisibleRepeated, value, seen.entry)
          .Remedy(text::kVisibleRemedy, better);
      break;
    case host::ListEnd::kMig:
      report.Note(kId, text::kVisibleMigOnly, value).Remedy(text::kVisibleRemedy, better);
      break;
  }
  // A device that is lost may not have told its name, and then looks different.
  const bool all_known = std::all_of(devices.begin(), devices.end(),
                                     [](const DeviceInfo* info) { return !info->name.empty(); });
  if (!seen.certain && all_known) {
    report.Note("environment.device_order", text::kVisibleOrder).Remedy(text::kVisibleOrderRemedy);
  }
}

}  // namespace gpusight::doctor
