// SPDX-License-Identifier: Apache-2.0
// The panels of the screen, each drawn into a pane of any size. Next: the file of each.
#pragma once

#include <string>
#include <vector>

#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/pane.h"
#include "tui/state.h"

namespace gpusight::tui {

// panel_header.cc
void DrawHeader(const Pane& pane, const State& state, const Layout& layout);
void DrawBanner(const Pane& pane, const State& state);
void DrawNoDevices(const Pane& pane, const State& state);

// panel_device.cc: what fits into the height, see there
void DrawDevice(const Pane& pane, const State& state, size_t device);

// device_charts.cc: charts side by side with titles above; or, in one row, beside their titles
void DrawCharts(const Pane& pane, const State& state, size_t device);
// One chart without a title.
void DrawHistory(const Pane& pane, const State& state, const DeviceSample& device, ChartId id,
                 Role role);

// device_line.cc: a device in one line, with or without titles above
void DrawDeviceHeading(const Pane& pane, const State& state);
void DrawDeviceLine(const Pane& pane, const State& state, size_t device, bool under_heading);

// What must be seen of a device wherever it is shown: throttling, XID, ECC, remapping.
struct Notice {
  std::string text;
  bool bad = false;        // broken rather than slow
  std::string brief = {};  // for where there is little room; empty: as `text`
};
[[nodiscard]] std::vector<Notice> NoticesOf(const DeviceSample& device, Language language);
// With the causes that were found there.
[[nodiscard]] std::vector<Notice> NoticesOf(const State& state, size_t device);

// panel_table.cc
void DrawTableHeading(const Pane& pane, const State& state);
void DrawTable(const Pane& pane, const State& state);

// panel_footer.cc
struct Hint {
  Action action;
  std::string_view key;
  std::string label;
  int x = 0, width = 0;
};
// The keys that the last line offers when it is that wide; their places count from its left end.
[[nodiscard]] std::vector<Hint> FooterHints(const State& state, int width);
void DrawFooter(const Pane& pane, const State& state);

}  // namespace gpusight::tui
