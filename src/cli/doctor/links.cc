// SPDX-License-Identifier: Apache-2.0
// Checks of the links: PCIe generation and width, NVLink, NUMA placement.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "cli/doctor/check.h"
#include "cli/doctor/device_list.h"
#include "model/text/doctor_devices.h"

namespace gpusight::doctor {
namespace {

using F = DeviceField;

// Above this share of time with a kernel running, an idle link's low speed is no excuse.
constexpr double kBusy = 0.3;

struct Link {
  double generation, width, most_generation, most_width;
  bool below() const { return generation < most_generation || width < most_width; }
  auto operator<=>(const Link&) const = default;
};

// "00000000:17:00.0" as lspci writes it.
std::string_view KernelBusId(const DeviceSample& device) {
  std::string_view id = device.info.pci_bus_id;
  if (id.starts_with("0000") && id.find(':') == 8) id.remove_prefix(4);
  return id;
}

std::optional<Link> LinkOf(const DeviceSample& device) {
  const auto& generation = device[F::kPcieGeneration];
  const auto& width = device[F::kPcieWidth];
  const auto& most_generation = device[F::kPcieGenerationMax];
  const auto& most_width = device[F::kPcieWidthMax];
  // A GPU that shares a die or a coherent link with the CPU shows placeholders.
  const bool real = !device.info.coherent_link && !device.info.unified_memory;
  if (!real || !generation || !width || !most_generation || !most_width) return std::nullopt;
  return Link{*generation, *width, *most_generation, *most_width};
}

}  // namespace

void CheckPcie(const Facts& facts, Report& report) {
  std::map<std::pair<bool, Link>, Devices> below;
  Devices full;
  const auto linked =
      Select(facts.frame, [](const DeviceSample& device) { return LinkOf(device).has_value(); });
  for (const DeviceSample* device : linked) {
    const Link link = *LinkOf(*device);
    if (link.below()) {
      below[{Above(*device, F::kUtilization, kBusy), link}].push_back(device);
    } else {
      full.push_back(device);
    }
  }
  for (const auto& [key, devices] : below) {
    const auto& [busy, link] = key;
    if (busy) {
      report
          .Problem("link.pcie", text::kPcieBusy, Named(devices), link.generation, link.width,
                   link.most_generation, link.most_width)
          .Remedy(text::kPcieBusyRemedy, KernelBusId(*devices.front()));
    } else if (link.width < link.most_width) {
      report.Note("link.pcie", text::kPcieNarrow, Named(devices), link.width, link.most_width)
          .Remedy(text::kPcieBusyRemedy, KernelBusId(*devices.front()));
    } else {
      report.Note("link.pcie", text::kPcieIdle, Named(devices), link.generation, link.width,
                  link.most_generation, link.most_width);
    }
  }
  if (!below.empty() || full.empty()) return;
  const Link first = *LinkOf(*full.front());
  const bool same = std::all_of(full.begin(), full.end(), [&](const DeviceSample* device) {
    return *LinkOf(*device) == first;
  });
  if (same) {
    report.Ok("link.pcie", text::kPcieFull, first.generation, first.width);
  } else {
    report.Ok("link.pcie", text::kPcieAllFull);
  }
}

void CheckNvlink(const Facts& facts, Report& report) {
  std::map<std::string, Devices> by_name;
  for (const DeviceSample* device : Select(facts.frame, [](const DeviceSample& sample) {
         return sample[F::kNvlinkLinks].known();
       })) {
    by_name[device->info.name].push_back(device);
  }
  for (const auto& [name, devices] : by_name) {
    double most = 0;
    for (const DeviceSample* device : devices) most = std::max(most, *(*device)[F::kNvlinkLinks]);
    if (most == 0) continue;  // a lone card, or one without a bridge
    Devices fewer;
    for (const DeviceSample* device : devices) {
      if (*(*device)[F::kNvlinkLinks] < most) fewer.push_back(device);
    }
    if (fewer.empty()) report.Ok("link.nvlink", text::kNvlinkUp, most, Named(devices));
    for (const DeviceSample* device : fewer) {
      report
          .Problem("link.nvlink", text::kNvlinkFewer, Named({device}), *(*device)[F::kNvlinkLinks],
                   most)
          .Remedy(text::kNvlinkFewerRemedy, device->info.index);
    }
  }
}

void CheckNuma(const Facts& facts, Report& report) {
  if (facts.machine.numa_nodes < 2) return;
  const auto unplaced =
      Select(facts.frame, [](const DeviceSample& device) { return device.info.numa_node < 0; });
  if (unplaced.empty()) return;
  report.Note("link.numa", text::kNumaUnknown, Named(unplaced), facts.machine.numa_nodes)
      .Remedy(text::kNumaUnknownRemedy);
}

}  // namespace gpusight::doctor
