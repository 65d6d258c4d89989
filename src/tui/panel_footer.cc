// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "model/text/top.h"
#include "tui/glyphs.h"
#include "tui/line.h"
#include "tui/panels.h"

namespace gpusight::tui {
namespace {

constexpr int kGap = 2;       // blanks between two hints
constexpr int kLastRank = 8;  // of the hints below

struct HintRow {
  Action action;
  std::string_view key;
  Text label;
  int rank;  // the highest is left away first when there is no room
};

constexpr HintRow kMain[] = {
    {Action::kHelp, "h", text::kTopHintHelp, 0},
    {Action::kStepBack, ",", text::kTopHintStepBack, 1},
    {Action::kStepForward, ".", text::kTopHintStepOn, 1},
    {Action::kProcessDetails, "Enter", text::kTopHintDetails, 2},
    {Action::kSort, "s", text::kTopHintSort, 1},
    {Action::kSearch, "/", text::kTopHintSearch, 3},
    {Action::kFilter, "\\", text::kTopHintFilter, 6},
    {Action::kTree, "t", text::kTopHintTree, 4},
    {Action::kAll, "a", text::kTopHintAll, 4},
    {Action::kFocusNext, "d", text::kTopHintFocus, 5},
    {Action::kColumns, "c", text::kTopHintColumns, 8},
    {Action::kSignal, "k", text::kTopHintSignal, 2},
    {Action::kPause, "p", text::kTopHintPause, 7},
    {Action::kQuit, "q", text::kTopHintQuit, 0},
};
constexpr HintRow kPage[] = {
    {Action::kBack, "Esc", text::kTopHintBack, 0},
    {Action::kPageDown, "PgDn", text::kTopHintScroll, 1},
};

// "12/340": the selected row of all.
std::string Position(const State& state) {
  if (state.rows.empty() || IsPage(state.mode)) return {};
  return fmt::format("{}/{}", state.selected_row + 1, state.rows.size());
}

bool PositionFits(const State& state, int width) {
  return DisplayWidth(Position(state)) + 10 < width;
}

std::string FilterText(const State& state) {
  if (state.filter.empty() || state.mode != Mode::kMain) return {};
  return Say(state.settings.language, text::kTopFilterPrompt) + Printable(state.filter);
}

// What the filter on the left and the position on the right leave to the hints.
struct Room {
  int begin = 0, end = 0;
};
Room RoomFor(const State& state, int width) {
  Room room{0, width};
  const std::string position = Position(state), filter = FilterText(state);
  if (PositionFits(state, width) && !position.empty()) room.end -= DisplayWidth(position) + 2;
  if (!filter.empty()) room.begin = std::min(DisplayWidth(filter), width) + 2;
  return room;
}

}  // namespace

std::vector<Hint> FooterHints(const State& state, int width) {
  const Language language = state.settings.language;
  const std::span<const HintRow> rows =
      IsPage(state.mode) ? std::span<const HintRow>(kPage) : std::span<const HintRow>(kMain);
  const auto cells = [&](const HintRow& row) {
    return DisplayWidth(row.key) + 1 + DisplayWidth(Say(language, row.label));
  };
  const auto useful = [&](const HintRow& row) {
    if (row.action == Action::kSignal) return !state.settings.read_only && !state.playback;
    if (row.action == Action::kStepBack || row.action == Action::kStepForward) {
      return state.playback.has_value();
    }
    if (row.action == Action::kFocusNext) return state.frame.devices.size() > 1;
    return true;
  };
  const auto needed = [&](int rank) {
    int sum = -kGap;
    for (const HintRow& row : rows) sum += useful(row) && row.rank <= rank ? cells(row) + kGap : 0;
    return sum;
  };
  const Room room = RoomFor(state, width);
  int rank = kLastRank;
  while (rank > 0 && needed(rank) > room.end - room.begin) --rank;
  std::vector<Hint> hints;
  int x = room.begin;
  for (const HintRow& row : rows) {
    if (!useful(row) || row.rank > rank) continue;
    if (x + cells(row) > room.end) break;
    hints.push_back({row.action, row.key, Say(language, row.label), x, cells(row)});
    x += cells(row) + kGap;
  }
  return hints;
}

void DrawFooter(const Pane& pane, const State& state) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  if (state.mode == Mode::kSearch || state.mode == Mode::kFilter) {
    const Text& prompt =
        state.mode == Mode::kSearch ? text::kTopSearchPrompt : text::kTopFilterPrompt;
    const int column = pane.Put(0, 0, Say(language, prompt), Role::kKey);
    // The end of what is typed stays in sight.
    std::string_view typed = state.input;
    while (DisplayWidth(typed) > std::max(0, pane.width() - column - 1)) (void)NextCodePoint(typed);
    const int end = pane.Put(column, 0, typed);
    pane.Fill({end, 0, 1, 1}, U' ', Style(Role::kText, kReverse));
    return;
  }
  const std::string position = Position(state);
  int end = pane.width();
  if (PositionFits(state, pane.width())) {
    end = pane.PutRight(pane.width(), 0, position, Role::kMuted) - 2;
  }
  if (!state.message.empty()) {
    pane.Put(0, 0, Truncate(Printable(state.message), end, glyphs.ellipsis),
             state.message_bad ? Role::kBad : Role::kGood);
    return;
  }
  pane.Put(0, 0, FilterText(state), Role::kWarning);
  for (const Hint& hint : FooterHints(state, pane.width())) {
    const int label = pane.Put(hint.x, 0, hint.key, Role::kKey) + 1;
    pane.Put(label, 0, hint.label, Role::kMuted);
  }
}

}  // namespace gpusight::tui
