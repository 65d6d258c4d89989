// SPDX-License-Identifier: Apache-2.0
#include "tui/update.h"

#include <algorithm>
#include <utility>

#include "tui/pages.h"
#include "tui/rows.h"
#include "tui/update_parts.h"

namespace gpusight::tui {
namespace {

constexpr int64_t kMessageNs = 5'000'000'000;

}  // namespace

void Begin(State& state, double interval, MonoTime now) {
  state.interval = interval;
  state.zoom = DefaultZoom(interval);
  state.started = now;
  state.mono = now;
}

Effect Update(State& state, const Key& key) {
  Effect effect = IsDialog(state.mode) ? DialogKey(state, key)
                  : state.mode == Mode::kSearch || state.mode == Mode::kFilter
                      ? InputKey(state, key)
                  : IsPage(state.mode) ? PageKey(state, key)
                                       : MainKey(state, key);
  KeepInView(state);
  return effect;
}

void Update(State& state, Size size) {
  if (size == state.size) return;
  state.size = size;
  state.most_rows = static_cast<int>(state.rows.size());
  KeepInView(state);
}

void Update(State& state, WallTime now, MonoTime mono) {
  state.now = now;
  state.mono = mono;
  if (!state.message.empty() && mono >= state.message_until) state.message.clear();
  KeepInView(state);  // a message or a banner may have come or gone
}

void Update(State& state, Frame& frame) {
  state.history.Add(frame);
  state.frame_arrived = state.mono;
  // A recording that stands still moves when it is told to.
  if (state.paused && state.has_frame && !state.playback) return;
  std::swap(state.frame, frame);
  state.has_frame = true;
  state.io.Add(state.frame);
  RebuildRows(state);
  KeepInView(state);
}

void Restart(State& state, History past) {
  state.history = std::move(past);
  state.io = IoRates{};
}

void Tell(State& state, std::string message, bool bad) {
  state.message = std::move(message);
  state.message_bad = bad;
  state.message_until = MonoTime{state.mono.ns + kMessageNs};
}

void KeepInView(State& state) {
  const Layout layout = LayoutOf(state);
  const int count = static_cast<int>(state.rows.size()), height = layout.table.height;
  state.first_row = std::min(state.first_row, state.selected_row);
  if (height > 0) {
    state.first_row = std::max(state.first_row, state.selected_row - height + 1);
    state.first_row = std::clamp(state.first_row, 0, std::max(0, count - height));
  }
  const int devices = static_cast<int>(ShownDevices(state).size());
  state.first_device = std::clamp(state.first_device, 0,
                                  std::max(0, devices - static_cast<int>(layout.devices.size())));
  if (IsPage(state.mode)) {
    const int lines = static_cast<int>(PageOf(state, layout.page.width).lines.size());
    state.scroll = std::clamp(state.scroll, 0, std::max(0, lines - layout.page.height));
  }
  const int items = static_cast<int>(DialogOf(state).items.size());
  state.choice = std::clamp(state.choice, 0, std::max(0, items - 1));
}

}  // namespace gpusight::tui
