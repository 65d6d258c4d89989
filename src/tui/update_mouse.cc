// SPDX-License-Identifier: Apache-2.0
// The mouse: what it hits is found with the layout that was drawn.
#include <algorithm>

#include "base/text.h"
#include "tui/panels.h"
#include "tui/update_parts.h"

namespace gpusight::tui {
namespace {

constexpr int kWheelStep = 3;

Effect Wheel(State& state, const Layout& layout, const Mouse& mouse, int direction) {
  if (IsDialog(state.mode)) {
    state.choice += direction;
  } else if (IsPage(state.mode)) {
    state.scroll += direction * kWheelStep;
  } else if (std::any_of(layout.devices.begin(), layout.devices.end(), [&](const DeviceSlot& slot) {
               return slot.area.Contains(mouse.column, mouse.row);
             })) {
    state.first_device += direction;
  } else {
    SelectRow(state, state.selected_row + direction * kWheelStep);
  }
  return {};
}

Effect ClickDialog(State& state, const Layout& layout, const Mouse& mouse) {
  if (!layout.dialog.Contains(mouse.column, mouse.row)) {
    // Outside a list closes it; a question wants an answer.
    if (state.mode != Mode::kConfirm) state.mode = Mode::kMain;
    return {};
  }
  const int item = DialogItemAt(state, layout.dialog, mouse.row);
  if (item < 0) return {};
  state.choice = item;
  return Choose(state);
}

void ClickHeading(State& state, const Layout& layout, int column) {
  const auto columns =
      PlaceColumns(state.columns, layout.table_heading.width, state.settings.language);
  for (const PlacedColumn& placed : columns) {
    if (column >= placed.x && column < placed.x + placed.width) return SortBy(state, placed.id);
  }
}

Effect ClickFooter(State& state, const Layout& layout, int column) {
  if (!state.message.empty()) return {};
  for (const Hint& hint : FooterHints(state, layout.footer.width)) {
    if (column < hint.x || column >= hint.x + hint.width) continue;
    if (IsPage(state.mode) && hint.action == Action::kBack) {
      state.mode = Mode::kMain;
      return {};
    }
    if (IsPage(state.mode)) {
      state.scroll += std::max(1, layout.page.height);
      return {};
    }
    return Perform(state, hint.action);
  }
  return {};
}

Effect Click(State& state, const Layout& layout, const Mouse& mouse) {
  const auto hit = [&](const Rect& area) { return area.Contains(mouse.column, mouse.row); };
  if (hit(layout.footer)) return ClickFooter(state, layout, mouse.column);
  if (IsPage(state.mode)) return {};
  if (hit(layout.table_heading)) {
    ClickHeading(state, layout, mouse.column);
  } else if (hit(layout.table)) {
    const int row = state.first_row + mouse.row - layout.table.y;
    if (row >= static_cast<int>(state.rows.size())) return {};
    SelectRow(state, row);
    if (mouse.action == MouseAction::kDoubleClick) return Perform(state, Action::kProcessDetails);
  } else {
    for (const DeviceSlot& slot : layout.devices) {
      if (!hit(slot.area)) continue;
      const std::string key = DeviceKey(state.frame.devices[slot.device].info);
      if (mouse.action == MouseAction::kDoubleClick) {
        FocusOn(state, key);
        return Perform(state, Action::kDeviceDetails);
      }
      // A click on the only one shown brings the others back.
      FocusOn(state, state.focus == key || ChosenDevices(state).size() < 2 ? "" : key);
      return {};
    }
  }
  return {};
}

}  // namespace

Effect Update(State& state, const Mouse& mouse) {
  const Layout layout = LayoutOf(state);
  Effect effect;
  if (mouse.action == MouseAction::kWheelUp || mouse.action == MouseAction::kWheelDown) {
    effect = Wheel(state, layout, mouse, mouse.action == MouseAction::kWheelUp ? -1 : 1);
  } else if (IsDialog(state.mode)) {
    effect = ClickDialog(state, layout, mouse);
  } else if (state.mode == Mode::kSearch || state.mode == Mode::kFilter) {
    state.mode = Mode::kMain;
  } else {
    effect = Click(state, layout, mouse);
  }
  KeepInView(state);
  return effect;
}

}  // namespace gpusight::tui
