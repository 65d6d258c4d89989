// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tui/pages.h"
#include "tui/rows.h"
#include "tui/signals.h"
#include "tui/update_parts.h"

namespace gpusight::tui {
namespace {

Effect ConfirmKey(State& state, const Key& key) {
  const bool letter = key.code == KeyCode::kCharacter;
  Effect effect;
  if (letter && (key.character == U'y' || key.character == U'Y')) {
    effect.request = SignalRequest{state.target, state.signal};
    state.mode = Mode::kMain;
  } else if (key.code == KeyCode::kEscape ||
             (letter &&
              (key.character == U'n' || key.character == U'N' || key.character == U'q'))) {
    state.mode = Mode::kMain;
  }
  return effect;
}

}  // namespace

Effect Choose(State& state) {
  const auto choice = static_cast<size_t>(std::max(0, state.choice));
  switch (state.mode) {
    case Mode::kSort:
      state.mode = Mode::kMain;
      if (choice < kColumnCount) SortBy(state, static_cast<Column>(choice));
      break;
    case Mode::kColumns:
      // The table must name its processes, so the pid stays.
      if (choice < kColumnCount && static_cast<Column>(choice) != Column::kPid) {
        state.columns.flip(choice);
      }
      break;
    case Mode::kSignal:
      if (choice < SignalRows().size()) {
        state.signal = SignalRows()[choice].number;
        state.mode = Mode::kConfirm;
      }
      break;
    default:
      break;
  }
  return {};
}

Effect DialogKey(State& state, const Key& key) {
  const auto action = ActionOf(key);
  if (action == Action::kSuspend || action == Action::kRedraw) return Perform(state, *action);
  if (key == Key{KeyCode::kControl, U'c', 0}) return Perform(state, Action::kQuit);
  if (state.mode == Mode::kConfirm) return ConfirmKey(state, key);
  const int items = static_cast<int>(DialogOf(state).items.size());
  constexpr int kPage = 10;
  switch (key.code) {
    case KeyCode::kUp:
      --state.choice;
      break;
    case KeyCode::kDown:
      ++state.choice;
      break;
    case KeyCode::kPageUp:
      state.choice -= kPage;
      break;
    case KeyCode::kPageDown:
      state.choice += kPage;
      break;
    case KeyCode::kHome:
      state.choice = 0;
      break;
    case KeyCode::kEnd:
      state.choice = items - 1;
      break;
    case KeyCode::kEnter:
      return Choose(state);
    case KeyCode::kEscape:
      state.mode = Mode::kMain;
      break;
    default:
      if (key == Key{KeyCode::kCharacter, U' ', 0} && state.mode == Mode::kColumns) {
        return Choose(state);
      }
      if (action == Action::kQuit || (state.mode == Mode::kColumns && action == Action::kColumns) ||
          (state.mode == Mode::kSort && action == Action::kSort)) {
        state.mode = Mode::kMain;
      }
  }
  return {};
}

Effect PageKey(State& state, const Key& key) {
  const auto action = ActionOf(key);
  if (action == Action::kSuspend || action == Action::kRedraw) return Perform(state, *action);
  if (key == Key{KeyCode::kControl, U'c', 0}) return Perform(state, Action::kQuit);
  const int page = std::max(1, LayoutOf(state).page.height);
  if (!action) return {};
  switch (*action) {
    case Action::kUp:
      --state.scroll;
      break;
    case Action::kDown:
      ++state.scroll;
      break;
    case Action::kPageUp:
      state.scroll -= page;
      break;
    case Action::kPageDown:
    case Action::kPause:  // Space, as in pagers
      state.scroll += page;
      break;
    case Action::kHome:
      state.scroll = 0;
      break;
    case Action::kEnd:
      state.scroll = 1'000'000;  // KeepInView() clamps it
      break;
    case Action::kFocusNext:
      if (state.mode == Mode::kDevice) return Perform(state, *action);
      break;
    case Action::kSignal:
      if (state.mode == Mode::kProcess) return Perform(state, *action);
      break;
    case Action::kFaster:
    case Action::kSlower:
      return Perform(state, *action);
    case Action::kQuit:
    case Action::kBack:
      state.mode = Mode::kMain;
      break;
    case Action::kHelp:
      state.mode = state.mode == Mode::kHelp ? Mode::kMain : Mode::kHelp;
      state.scroll = 0;
      break;
    case Action::kProcessDetails:
      if (state.mode == Mode::kProcess) state.mode = Mode::kMain;
      break;
    case Action::kDeviceDetails:
      if (state.mode == Mode::kDevice) state.mode = Mode::kMain;
      break;
    default:
      break;
  }
  return {};
}

}  // namespace gpusight::tui
