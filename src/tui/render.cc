// SPDX-License-Identifier: Apache-2.0
#include "tui/render.h"

#include "tui/dialog.h"
#include "tui/pages.h"
#include "tui/panels.h"

namespace gpusight::tui {

Canvas Render(const State& state) {
  Canvas canvas(state.size);
  const Layout layout = LayoutOf(state);
  const auto pane = [&](const Rect& area) { return Pane(canvas, area); };
  const auto there = [](const Rect& area) { return !area.empty(); };

  if (there(layout.header)) DrawHeader(pane(layout.header), state, layout);
  if (there(layout.banner)) DrawBanner(pane(layout.banner), state);
  if (there(layout.no_devices)) DrawNoDevices(pane(layout.no_devices), state);
  const bool heading = there(layout.device_heading);
  if (heading) DrawDeviceHeading(pane(layout.device_heading), state);
  for (const DeviceSlot& slot : layout.devices) {
    if (slot.area.height == 1) {
      DrawDeviceLine(pane(slot.area), state, slot.device, heading);
    } else {
      DrawDevice(pane(slot.area), state, slot.device);
    }
  }
  if (there(layout.table_heading)) DrawTableHeading(pane(layout.table_heading), state);
  if (there(layout.table)) DrawTable(pane(layout.table), state);
  if (there(layout.page)) DrawPage(pane(layout.page), state);
  if (there(layout.footer)) DrawFooter(pane(layout.footer), state);
  if (there(layout.dialog)) DrawDialog(pane(layout.dialog), state);
  return canvas;
}

}  // namespace gpusight::tui
