// SPDX-License-Identifier: Apache-2.0
// Where everything stands, for any size and any number of devices and processes. A pure function:
// no two areas overlap, none sticks out, none is empty unless it is left away (layout_test.cc
// tries them all). Next: render.h.
#pragma once

#include <vector>

#include "tui/state.h"

namespace gpusight::tui {

struct DeviceSlot {
  size_t device = 0;  // position in Frame::devices
  Rect area;
};

struct Layout {
  Rect header;
  Rect banner;          // empty unless something is wrong
  Rect device_heading;  // titles above devices of one line each; empty otherwise
  std::vector<DeviceSlot> devices;
  Rect no_devices;  // where to say that there is none; empty otherwise
  Rect table_heading;
  Rect table;
  Rect footer;
  Rect page;    // of a full-screen page, instead of devices and table
  Rect dialog;  // over all of it
};

struct LayoutInput {
  Size size;
  std::vector<size_t> devices;  // positions in Frame::devices
  int first_device = 0;         // where to begin when not all fit
  int process_rows = 0;
  bool banner = false;
  bool snapshot = false;       // no footer: there is nobody to press its keys
  bool footer_needed = false;  // an input line or a message, even on a small screen
  bool page = false;
  Size dialog;  // wanted size; {} for none
};

[[nodiscard]] Layout ComputeLayout(const LayoutInput& input);

// The same for the state; what Render() and the mouse use.
[[nodiscard]] Layout LayoutOf(const State& state);

// Heights of a device's panel from which on it shows more: see panel_device.cc.
inline constexpr int kChartPanelHeight = 6;

}  // namespace gpusight::tui
