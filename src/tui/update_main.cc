// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/units.h"
#include "model/text/top.h"
#include "tui/format.h"
#include "tui/rows.h"
#include "tui/signals.h"
#include "tui/update_parts.h"

namespace gpusight::tui {
namespace {

constexpr int kCommandStep = 8;
constexpr double kFastest = 0.1, kSlowest = 3600;

void FocusNext(State& state) {
  const std::vector<size_t> devices = ChosenDevices(state);
  if (devices.size() < 2) return;
  size_t next = 0;
  if (!state.focus.empty()) {
    for (size_t i = 0; i < devices.size(); ++i) {
      if (DeviceKey(state.frame.devices[devices[i]].info) == state.focus) next = i + 1;
    }
  }
  FocusOn(state, next < devices.size() ? DeviceKey(state.frame.devices[devices[next]].info) : "");
}

Effect ChangeInterval(State& state, bool faster) {
  // 0.1 0.2 0.5 1 2 5 10 …
  static constexpr double kSteps[] = {0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600};
  double next = state.interval;
  if (faster) {
    for (const double step : kSteps) {
      if (step < state.interval * 0.999) next = step;
    }
  } else {
    for (const double step : kSteps) {
      if (step > state.interval * 1.001) {
        next = step;
        break;
      }
    }
  }
  state.interval = std::clamp(next, kFastest, kSlowest);
  Tell(state, Say(state.settings.language, text::kTopIntervalNow, ShowSpan(state.interval)));
  Effect effect;
  effect.interval = state.interval;
  return effect;
}

Effect ChangeSpeed(State& state, bool faster) {
  static constexpr double kSpeeds[] = {0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600};
  double next = state.playback->speed;
  for (const double speed : kSpeeds) {
    if (!faster && speed < state.playback->speed * 0.999) next = speed;
    if (faster && speed > state.playback->speed * 1.001) {
      next = speed;
      break;
    }
  }
  state.playback->speed = next;
  Tell(state, Say(state.settings.language, text::kTopSpeedNow, ShowSpeed(next)));
  Effect effect;
  if (!state.paused) effect.speed = next;
  return effect;
}

Effect Pause(State& state) {
  state.paused = !state.paused;
  Effect effect;
  if (state.playback) effect.speed = state.paused ? 0 : state.playback->speed;
  return effect;
}

Effect Seek(const State& state, double seconds) {
  Effect effect;
  if (state.playback) effect.seek = seconds;
  return effect;
}

void ChangeSpan(State& state, int step) {
  const int last = static_cast<int>(DotSpans().size()) - 1;
  state.zoom = static_cast<size_t>(std::clamp(static_cast<int>(state.zoom) + step, 0, last));
  Tell(state, Say(state.settings.language, text::kTopSpanNow, ShowSpan(DotSpans()[state.zoom])));
}

// On the page of a process it is that process, also when another one has taken its row.
void OpenSignals(State& state) {
  const ProcessSample* process =
      FindProcess(state, state.mode == Mode::kProcess ? state.opened : state.selected);
  if (auto refusal = WhyNoSignal(state, process)) return Tell(state, *refusal, true);
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  state.target.key = KeyOf(*process);
  state.target.user = ShowText(process->user, language, glyphs);
  state.target.command = ShowText(process->command_line, language, glyphs);
  state.mode = Mode::kSignal;
  state.choice = 0;
}

void OpenInput(State& state, Mode mode, std::string& edited) {
  state.mode = mode;
  state.input_before = edited;
  state.input = mode == Mode::kFilter ? edited : "";
}

// Esc closes what is innermost.
void Back(State& state) {
  if (!state.message.empty()) {
    state.message.clear();
  } else if (!state.search.empty()) {
    state.search.clear();
  } else if (!state.filter.empty()) {
    state.filter.clear();
    RebuildRows(state);
  } else if (!state.focus.empty()) {
    FocusOn(state, "");
  }
}

void OpenPage(State& state, Mode mode) {
  state.mode = mode;
  state.scroll = 0;
}

void OpenList(State& state, Mode mode) {
  state.mode = mode;
  state.choice = mode == Mode::kSort ? static_cast<int>(state.sort) : 0;
}

}  // namespace

void SelectRow(State& state, int row) {
  if (state.rows.empty()) return;
  state.selected_row = std::clamp(row, 0, static_cast<int>(state.rows.size()) - 1);
  const TableRow& chosen = state.rows[static_cast<size_t>(state.selected_row)];
  state.selected = KeyOf(state.frame.processes[chosen.process]);
}

void SortBy(State& state, Column column) {
  if (state.sort == column) {
    state.falling = !state.falling;
  } else {
    state.sort = column;
    state.falling = RowOf(column).falls;
  }
  RebuildRows(state);
}

void FocusOn(State& state, const std::string& device_key) {
  state.focus = device_key;
  state.first_device = 0;
  RebuildRows(state);
  state.most_rows = static_cast<int>(state.rows.size());
}

Effect Perform(State& state, Action action) {
  const int page = std::max(1, LayoutOf(state).table.height);
  Effect effect;
  switch (action) {
    case Action::kQuit:
      effect.quit = true;
      break;
    case Action::kSuspend:
      effect.suspend = true;
      break;
    case Action::kRedraw:
      effect.redraw = true;
      break;
    case Action::kHelp:
      OpenPage(state, Mode::kHelp);
      break;
    case Action::kUp:
      SelectRow(state, state.selected_row - 1);
      break;
    case Action::kDown:
      SelectRow(state, state.selected_row + 1);
      break;
    case Action::kPageUp:
      SelectRow(state, state.selected_row - page);
      break;
    case Action::kPageDown:
      SelectRow(state, state.selected_row + page);
      break;
    case Action::kHome:
      SelectRow(state, 0);
      break;
    case Action::kEnd:
      SelectRow(state, static_cast<int>(state.rows.size()) - 1);
      break;
    case Action::kLeft:
      state.command_offset = std::max(0, state.command_offset - kCommandStep);
      break;
    case Action::kRight:
      state.command_offset = std::min(4096, state.command_offset + kCommandStep);
      break;
    case Action::kProcessDetails:
      if (SelectedProcess(state) == nullptr) break;
      state.opened = state.selected;
      OpenPage(state, Mode::kProcess);
      break;
    case Action::kDeviceDetails:
      if (!ShownDevices(state).empty()) OpenPage(state, Mode::kDevice);
      break;
    case Action::kSearch:
      OpenInput(state, Mode::kSearch, state.search);
      break;
    case Action::kNextMatch:
      FindMatch(state, 1, false);
      break;
    case Action::kPreviousMatch:
      FindMatch(state, -1, false);
      break;
    case Action::kFilter:
      OpenInput(state, Mode::kFilter, state.filter);
      break;
    case Action::kTree:
      state.tree = !state.tree;
      RebuildRows(state);
      break;
    case Action::kAll:
      state.all = !state.all;
      RebuildRows(state);
      state.most_rows = static_cast<int>(state.rows.size());
      break;
    case Action::kSort:
      OpenList(state, Mode::kSort);
      break;
    case Action::kReverse:
      SortBy(state, state.sort);
      break;
    case Action::kColumns:
      OpenList(state, Mode::kColumns);
      break;
    case Action::kSignal:
      OpenSignals(state);
      break;
    case Action::kFocusNext:
      FocusNext(state);
      break;
    case Action::kPause:
      return Pause(state);
    case Action::kFaster:
      return state.playback ? ChangeSpeed(state, true) : ChangeInterval(state, true);
    case Action::kSlower:
      return state.playback ? ChangeSpeed(state, false) : ChangeInterval(state, false);
    case Action::kStepBack:
      return Seek(state, -10);
    case Action::kStepForward:
      return Seek(state, 10);
    case Action::kSkipBack:
      return Seek(state, -60);
    case Action::kSkipForward:
      return Seek(state, 60);
    case Action::kLeapBack:
      return Seek(state, -600);
    case Action::kLeapForward:
      return Seek(state, 600);
    case Action::kSpanShorter:
      ChangeSpan(state, -1);
      break;
    case Action::kSpanLonger:
      ChangeSpan(state, 1);
      break;
    case Action::kBack:
      Back(state);
      break;
  }
  return effect;
}

Effect MainKey(State& state, const Key& key) {
  // A digit is the device of that index.
  if (key.code == KeyCode::kCharacter && key.character >= U'0' && key.character <= U'9') {
    for (const size_t i : ChosenDevices(state)) {
      const DeviceSample& device = state.frame.devices[i];
      if (!device.is_mig_instance() &&
          device.info.index == static_cast<int>(key.character - U'0')) {
        FocusOn(state, DeviceKey(device.info));
      }
    }
    return {};
  }
  const auto action = ActionOf(key);
  return action ? Perform(state, *action) : Effect{};
}

}  // namespace gpusight::tui
