// SPDX-License-Identifier: Apache-2.0
#include "tui/layout.h"

#include <algorithm>

#include "tui/dialog.h"

namespace gpusight::tui {
namespace {

constexpr int kLeastColumnWidth = 60;  // of devices side by side
constexpr int kMostColumns = 4;
constexpr int kTallestPanel = 18;  // or three fifths of the room, on tall screens
constexpr int kFooterFrom = 8;     // screen height

Rect TakeTop(Rect& rest, int rows) {
  const Rect taken = {rest.x, rest.y, rest.width, std::clamp(rows, 0, rest.height)};
  rest.y += taken.height;
  rest.height -= taken.height;
  return taken;
}

Rect TakeBottom(Rect& rest, int rows) {
  const int taken = std::clamp(rows, 0, rest.height);
  rest.height -= taken;
  return {rest.x, rest.bottom(), rest.width, taken};
}

struct Grid {
  int columns = 1, height = 0;  // of each device's panel
};

// How rich a panel of that height is; beyond charts, height alone decides.
int Richness(int height) { return std::min(height, kChartPanelHeight + 1); }

Grid ChooseGrid(int count, int width, int room) {
  Grid best;
  for (int columns = 1; columns <= std::min(count, kMostColumns); ++columns) {
    if (columns > 1 && (width - columns + 1) / columns < kLeastColumnWidth) break;
    const int lines = (count + columns - 1) / columns;
    const int height = std::min(room / lines, std::max(kTallestPanel, room * 3 / 5));
    if (Richness(height) > Richness(best.height)) best = {columns, height};
  }
  return best;
}

// Devices at the top of `rest`, the table below.
void PlaceDevices(const LayoutInput& input, Rect& rest, Layout& layout) {
  const int room = rest.height;
  if (room <= 0) return;
  const int count = static_cast<int>(input.devices.size());
  // The table keeps what it needs, at least two fifths if it needs that much.
  const int table = std::min(std::max(input.process_rows, 1) + 1, std::max(3, room * 2 / 5));
  const int most = std::max(1, room - table);
  if (count == 0) {
    layout.no_devices = TakeTop(rest, std::min(most, 4));
    return;
  }
  const Grid grid = ChooseGrid(count, rest.width, most);
  if (grid.height >= 2) {
    const int lines = (count + grid.columns - 1) / grid.columns;
    const Rect area = TakeTop(rest, lines * grid.height);
    for (int i = 0; i < count; ++i) {
      const int column = i % grid.columns;
      // Borders between columns by proportion, with one blank cell between them.
      const int from = area.width * column / grid.columns + (column > 0 ? 1 : 0);
      const int to = area.width * (column + 1) / grid.columns;
      layout.devices.push_back(
          {input.devices[static_cast<size_t>(i)],
           {area.x + from, area.y + i / grid.columns * grid.height, to - from, grid.height}});
    }
    return;
  }
  // One line each, with titles above if there is room; a window when they are too many.
  const bool heading = most >= 3;
  if (heading) layout.device_heading = TakeTop(rest, 1);
  const int visible = std::min(count, most - (heading ? 1 : 0));
  const int first = std::clamp(input.first_device, 0, count - visible);
  for (int i = first; i < first + visible; ++i) {
    layout.devices.push_back({input.devices[static_cast<size_t>(i)], TakeTop(rest, 1)});
  }
}

}  // namespace

Layout ComputeLayout(const LayoutInput& input) {
  Layout layout;
  Rect rest = {0, 0, std::max(0, input.size.width), std::max(0, input.size.height)};
  if (rest.empty()) return layout;
  const Rect screen = rest;
  if (rest.height >= 3) layout.header = TakeTop(rest, 1);
  if ((rest.height >= kFooterFrom - 1 && !input.snapshot) ||
      (input.footer_needed && rest.height >= 2)) {
    layout.footer = TakeBottom(rest, 1);
  }
  if (input.banner && rest.height >= 2) layout.banner = TakeTop(rest, 1);
  if (input.page) {
    layout.page = rest;
  } else {
    PlaceDevices(input, rest, layout);
    if (rest.height >= 2) layout.table_heading = TakeTop(rest, 1);
    layout.table = rest.height > 0 ? rest : Rect{};
  }
  if (input.dialog.width > 0 && input.dialog.height > 0) {
    layout.dialog = Centred(screen, input.dialog);
  }
  return layout;
}

Layout LayoutOf(const State& state) {
  LayoutInput input;
  input.size = state.size;
  input.devices = ShownDevices(state);
  input.first_device = state.first_device;
  input.process_rows = state.most_rows;
  input.banner = SilenceOf(state).seconds > 0;
  input.footer_needed =
      state.mode == Mode::kSearch || state.mode == Mode::kFilter || !state.message.empty();
  input.snapshot = state.settings.snapshot;
  input.page = IsPage(state.mode);
  input.dialog = DialogSize(state);
  return ComputeLayout(input);
}

}  // namespace gpusight::tui
