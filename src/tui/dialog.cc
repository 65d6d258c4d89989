// SPDX-License-Identifier: Apache-2.0
#include "tui/dialog.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/language.h"
#include "model/text/top.h"
#include "tui/glyphs.h"
#include "tui/signals.h"

namespace gpusight::tui {
namespace {

constexpr int kWidest = 72;  // inside the frame

Dialog SortDialog(const State& state) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  Dialog dialog{Say(language, text::kTopSortTitle), {}, {}, {}};
  for (const ColumnRow& row : ColumnRows()) {
    const bool current = row.id == state.sort;
    const std::string_view arrow = !current ? " " : state.falling ? glyphs.down : glyphs.up;
    dialog.items.push_back(
        fmt::format("{} {} {}", arrow, Pad(row.title.In(language), 10), row.meaning.In(language)));
  }
  return dialog;
}

Dialog ColumnsDialog(const State& state) {
  const Language language = state.settings.language;
  Dialog dialog{Say(language, text::kTopColumnsTitle), {}, {}, {}};
  for (const ColumnRow& row : ColumnRows()) {
    dialog.items.push_back(fmt::format("[{}] {} {}",
                                       state.columns[static_cast<size_t>(row.id)] ? 'x' : ' ',
                                       Pad(row.title.In(language), 10), row.meaning.In(language)));
  }
  return dialog;
}

Dialog SignalDialog(const State& state) {
  const Language language = state.settings.language;
  Dialog dialog{Say(language, text::kTopSignalTitle, state.target.key.pid), {}, {}, {}};
  for (const SignalRow& row : SignalRows()) {
    dialog.items.push_back(
        fmt::format("{:>2} {:<5} {}", row.number, row.name, row.meaning.In(language)));
  }
  return dialog;
}

Dialog ConfirmDialog(const State& state) {
  const Language language = state.settings.language;
  Dialog dialog{Say(language, text::kTopConfirmTitle, SignalName(state.signal)), {}, {}, {}};
  const auto line = [&](const Text& label, const std::string& value) {
    dialog.lines.push_back(fmt::format("{} {}", Pad(label.In(language), 8), value));
  };
  line(text::kTopConfirmPid, std::to_string(state.target.key.pid));
  line(text::kTopConfirmUser, state.target.user);
  line(text::kTopConfirmCommand, state.target.command);
  dialog.hint = Say(language, text::kTopConfirmKeys);
  return dialog;
}

// The first item to draw, so that the chosen one is seen in `room` lines.
int FirstItem(int choice, int count, int room) {
  return std::clamp(choice - room + 1, 0, std::max(0, count - room));
}

int ItemRoom(const Dialog& dialog, int height) {
  return std::max(
      0, height - 2 - static_cast<int>(dialog.lines.size()) - (dialog.hint.empty() ? 0 : 2));
}

void DrawFrame(const Pane& pane, const Glyphs& glyphs, const std::string& title) {
  const int right = pane.width() - 1, bottom = pane.height() - 1;
  for (int x = 1; x < right; ++x) {
    pane.Put(x, 0, glyphs.rule, Role::kDialog);
    pane.Put(x, bottom, glyphs.rule, Role::kDialog);
  }
  for (int y = 1; y < bottom; ++y) {
    pane.Put(0, y, glyphs.wall, Role::kDialog);
    pane.Put(right, y, glyphs.wall, Role::kDialog);
  }
  pane.Put(0, 0, glyphs.corners[0], Role::kDialog);
  pane.Put(right, 0, glyphs.corners[1], Role::kDialog);
  pane.Put(0, bottom, glyphs.corners[2], Role::kDialog);
  pane.Put(right, bottom, glyphs.corners[3], Role::kDialog);
  pane.Put(2, 0, " " + Truncate(title, pane.width() - 6, glyphs.ellipsis) + " ", Role::kTitle);
}

}  // namespace

Dialog DialogOf(const State& state) {
  switch (state.mode) {
    case Mode::kSort:
      return SortDialog(state);
    case Mode::kColumns:
      return ColumnsDialog(state);
    case Mode::kSignal:
      return SignalDialog(state);
    case Mode::kConfirm:
      return ConfirmDialog(state);
    default:
      return {};
  }
}

Size DialogSize(const State& state) {
  const Dialog dialog = DialogOf(state);
  if (dialog.title.empty()) return {};
  int width = DisplayWidth(dialog.title) + 4;
  for (const std::string& line : dialog.lines) width = std::max(width, DisplayWidth(line));
  for (const std::string& item : dialog.items) width = std::max(width, DisplayWidth(item));
  width = std::max(width, DisplayWidth(dialog.hint));
  const auto rows = dialog.lines.size() + dialog.items.size() + (dialog.hint.empty() ? 0 : 2);
  return {std::min(width, kWidest) + 4, static_cast<int>(rows) + 2};
}

int DialogItemAt(const State& state, const Rect& area, int row) {
  const Dialog dialog = DialogOf(state);
  const int room = ItemRoom(dialog, area.height), count = static_cast<int>(dialog.items.size());
  const int line = row - area.y - 1 - static_cast<int>(dialog.lines.size());
  if (line < 0 || line >= room) return -1;
  const int item = FirstItem(state.choice, count, room) + line;
  return item < count ? item : -1;
}

void DrawDialog(const Pane& pane, const State& state) {
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const Dialog dialog = DialogOf(state);
  pane.Fill({0, 0, pane.width(), pane.height()}, U' ', Role::kDialog);
  DrawFrame(pane, glyphs, dialog.title);
  const Pane inner = pane.Part({2, 1, pane.width() - 4, pane.height() - 2});
  const auto put = [&](int row, const std::string& text, Style style) {
    inner.Put(0, row, Truncate(text, inner.width(), glyphs.ellipsis), style);
  };
  int row = 0;
  for (const std::string& line : dialog.lines) put(row++, line, Role::kDialog);
  const int room = ItemRoom(dialog, pane.height());
  const int count = static_cast<int>(dialog.items.size());
  const int first = FirstItem(state.choice, count, room);
  for (int i = first; i < std::min(count, first + room); ++i, ++row) {
    put(row, dialog.items[static_cast<size_t>(i)], Role::kDialog);
    if (i == state.choice) inner.Restyle({0, row, inner.width(), 1}, Role::kSelection);
  }
  if (!dialog.hint.empty()) put(inner.height() - 1, dialog.hint, Role::kKey);
}

}  // namespace gpusight::tui
