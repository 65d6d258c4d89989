// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "model/text/top.h"
#include "tui/format.h"
#include "tui/pages.h"

namespace gpusight::tui {
namespace {

void WriteDevice(const State& state, size_t index, PageWriter& writer) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const DeviceSample& device = state.frame.devices[index];
  const DeviceInfo& info = device.info;
  writer.Section(fmt::format("{} {}",
                             Say(language, text::kTopDeviceTitle, DeviceLabel(state.frame, index)),
                             Printable(info.name)));
  if (device.state != DeviceState::kOk) {
    writer.Text(fmt::format("{}: {}", Say(language, StateName(device.state)),
                            Say(language, StateExplanation(device.state))),
                Role::kBad);
  }
  int labels = 0;
  for (const CatalogRow& row : DeviceRows()) {
    labels = std::max(labels, DisplayWidth(row.label.In(language)));
  }
  // Names that the same everywhere need no translation.
  const auto entry = [&](const char* label, const std::string& value) {
    if (!value.empty()) writer.Entry(label, labels, Printable(value));
  };
  entry("UUID", info.uuid);
  entry("PCI", info.pci_bus_id);
  entry("MIG", info.gpu_instance < 0
                   ? std::string()
                   : fmt::format("GI {} CI {}", info.gpu_instance, info.compute_instance));
  entry("VBIOS", info.vbios);
  entry("CUDA",
        info.architecture + (info.architecture.empty() ? "" : " ") + info.compute_capability);
  entry("SM", info.multiprocessors > 0 ? std::to_string(info.multiprocessors) : std::string());
  entry("NUMA", info.numa_node >= 0 ? std::to_string(info.numa_node) : std::string());
  entry("CPU", info.cpu_affinity);
  std::vector<PageWriter::Item> items;
  for (size_t i = 0; i < device.fields.size(); ++i) {
    const auto field = static_cast<DeviceField>(i);
    const CatalogRow& row = Row(field);
    const Known<double>& value = device[field];
    std::string shown = Show(value, row.unit, glyphs);
    if (!value) shown += ' ' + Describe(value.missing(), language);
    items.push_back(
        {Say(language, row.label), std::move(shown), value ? Role::kText : Role::kMuted});
  }
  writer.Columns(items, labels);
  const std::string reasons = ThrottleReasons(device, language);
  if (!reasons.empty()) writer.Text(Say(language, text::kTopThrottle, reasons), Role::kWarning);
}

}  // namespace

Page DevicePage(const State& state, int width) {
  Page page;
  page.title = Say(state.settings.language, text::kTopSecValues);
  PageWriter writer(page, width);
  for (const size_t device : ShownDevices(state)) WriteDevice(state, device, writer);
  return page;
}

}  // namespace gpusight::tui
