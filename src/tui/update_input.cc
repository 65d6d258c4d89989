// SPDX-License-Identifier: Apache-2.0
// Typing into the last line: a search selects the first match as it is typed, a filter hides what
// does not match. Enter keeps it, Esc brings back what was before.
#include "base/text.h"
#include "model/text/top.h"
#include "tui/column_values.h"
#include "tui/rows.h"
#include "tui/update_parts.h"

namespace gpusight::tui {
namespace {

constexpr size_t kLongest = 200;  // bytes

void RemoveLast(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

// What the line so far means.
void Apply(State& state) {
  if (state.mode == Mode::kFilter) {
    state.filter = state.input;
    RebuildRows(state);
  } else {
    state.search = state.input;
    if (!state.search.empty()) FindMatch(state, 1, true);
  }
}

}  // namespace

void FindMatch(State& state, int direction, bool from_here) {
  const int count = static_cast<int>(state.rows.size());
  if (state.search.empty() || count == 0) return;
  for (int step = from_here ? 0 : 1; step <= count; ++step) {
    const int row = ((state.selected_row + direction * step) % count + count) % count;
    const size_t process = state.rows[static_cast<size_t>(row)].process;
    if (!Matches(SearchText(state, state.frame.processes[process]), state.search)) continue;
    SelectRow(state, row);
    return;
  }
  if (state.mode != Mode::kSearch) {
    Tell(state, Say(state.settings.language, text::kTopSearchNothing, Printable(state.search)),
         true);
  }
}

Effect InputKey(State& state, const Key& key) {
  const bool searching = state.mode == Mode::kSearch;
  switch (key.code) {
    case KeyCode::kEnter: {
      state.mode = Mode::kMain;
      if (searching) FindMatch(state, 1, true);
      break;
    }
    case KeyCode::kEscape:
      (searching ? state.search : state.filter) = searching ? "" : state.input_before;
      state.mode = Mode::kMain;
      RebuildRows(state);
      break;
    case KeyCode::kBackspace:
      RemoveLast(state.input);
      Apply(state);
      break;
    case KeyCode::kControl:
      if (key.character == U'c') return Perform(state, Action::kQuit);
      if (key.character == U'z') return Perform(state, Action::kSuspend);
      if (key.character == U'l') return Perform(state, Action::kRedraw);
      if (key.character == U'u') {
        state.input.clear();
        Apply(state);
      }
      break;
    case KeyCode::kUp:
    case KeyCode::kDown:
    case KeyCode::kPageUp:
    case KeyCode::kPageDown:
      return MainKey(state, key);
    case KeyCode::kCharacter:
      if (CodePointWidth(key.character) > 0 && state.input.size() < kLongest) {
        AppendUtf8(state.input, key.character);
        Apply(state);
      }
      break;
    default:
      break;
  }
  return {};
}

}  // namespace gpusight::tui
