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

struct HintRow {
  Action action;
  std::string_view key;
  Text label;
};

constexpr HintRow kMain[] = {
    {Action::kHelp, "h", text::kTopHintHelp},
    {Action::kProcessDetails, "Enter", text::kTopHintDetails},
    {Action::kSort, "s", text::kTopHintSort},
    {Action::kSearch, "/", text::kTopHintSearch},
    {Action::kFilter, "\\", text::kTopHintFilter},
    {Action::kTree, "t", text::kTopHintTree},
    {Action::kFocusNext, "d", text::kTopHintFocus},
    {Action::kColumns, "c", text::kTopHintColumns},
    {Action::kSignal, "k", text::kTopHintSignal},
    {Action::kPause, "p", text::kTopHintPause},
    {Action::kQuit, "q", text::kTopHintQuit},
};
constexpr HintRow kPage[] = {
    {Action::kBack, "Esc", text::kTopHintBack},
    {Action::kPageDown, "PgDn", text::kTopHintScroll},
};

// "12/340": the selected row of all.
std::string Position(const State& state) {
  if (state.rows.empty() || IsPage(state.mode)) return {};
  return fmt::format("{}/{}", state.selected_row + 1, state.rows.size());
}

}  // namespace

std::vector<Hint> FooterHints(const State& state, int width) {
  std::vector<Hint> hints;
  const Language language = state.settings.language;
  const std::span<const HintRow> rows =
      IsPage(state.mode) ? std::span<const HintRow>(kPage) : std::span<const HintRow>(kMain);
  int x = 0;
  for (const HintRow& row : rows) {
    if (row.action == Action::kSignal && state.settings.read_only) continue;
    Hint hint{row.action, row.key, Say(language, row.label), x, 0};
    hint.width = DisplayWidth(hint.key) + 1 + DisplayWidth(hint.label);
    if (x + hint.width > width) break;
    x += hint.width + 2;
    hints.push_back(std::move(hint));
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
  if (DisplayWidth(position) + 10 < pane.width()) {
    end = pane.PutRight(pane.width(), 0, position, Role::kMuted) - 2;
  }
  if (!state.message.empty()) {
    pane.Put(0, 0, Truncate(Printable(state.message), end, glyphs.ellipsis),
             state.message_bad ? Role::kBad : Role::kGood);
    return;
  }
  int column = 0;
  if (!state.filter.empty() && state.mode == Mode::kMain) {
    column = pane.Put(0, 0, Say(language, text::kTopFilterPrompt) + Printable(state.filter),
                      Role::kWarning) +
             2;
  }
  for (const Hint& hint : FooterHints(state, end - column)) {
    const int label = pane.Put(column + hint.x, 0, hint.key, Role::kKey) + 1;
    pane.Put(label, 0, hint.label, Role::kMuted);
  }
}

}  // namespace gpusight::tui
