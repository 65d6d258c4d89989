// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "model/text/top.h"
#include "tui/column_values.h"
#include "tui/format.h"
#include "tui/panels.h"

namespace gpusight::tui {
namespace {

Style StyleOf(const ProcessSample& process, Column column) {
  if (!process.translated || process.zombie) return Role::kWarning;
  if (process.uses.empty()) return Role::kMuted;  // a relative that uses no GPU
  if (column == Column::kMemory) return Role::kMemory;
  if (column == Column::kSm) return Role::kSm;
  return Role::kText;
}

// `text` without its first `cells` cells.
std::string_view SkipCells(std::string_view text, int cells) {
  while (cells > 0 && !text.empty()) cells -= CodePointWidth(NextCodePoint(text));
  return text;
}

// Marks where words of the search occur in the line from `column` on.
void MarkMatches(const Pane& pane, int row, int column, std::string_view text,
                 std::string_view search) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  while (const auto word = NextWord(search)) {
    const auto at = std::search(text.begin(), text.end(), word->begin(), word->end(), same);
    if (at == text.end()) continue;
    const auto offset = static_cast<size_t>(at - text.begin());
    pane.Restyle({column + DisplayWidth(text.substr(0, offset)), row,
                  DisplayWidth(text.substr(offset, word->size())), 1},
                 Role::kMatch);
  }
}

void DrawRow(const Pane& pane, int row, const State& state, const TableRow& line,
             const std::vector<PlacedColumn>& columns) {
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const ProcessSample& process = state.frame.processes[line.process];
  const bool selected = KeyOf(process) == state.selected;
  for (const PlacedColumn& placed : columns) {
    const Style style = StyleOf(process, placed.id);
    std::string cell = CellOf(state, process, placed.id);
    const Pane part = pane.Part({placed.x, row, placed.width, 1});
    if (placed.id == Column::kCommand) {
      const int begin = part.Put(0, 0, line.branch, Role::kMuted);
      const std::string_view rest = SkipCells(cell, state.command_offset);
      const std::string text = Truncate(rest, part.width() - begin, glyphs.ellipsis);
      part.Put(begin, 0, text, style);
      if (!state.search.empty() && !selected) MarkMatches(part, 0, begin, text, state.search);
    } else if (RowOf(placed.id).right) {
      part.PutRight(part.width(), 0, Truncate(cell, part.width(), glyphs.ellipsis), style);
    } else {
      part.Put(0, 0, Truncate(cell, part.width(), glyphs.ellipsis), style);
    }
  }
  if (selected) pane.Restyle({0, row, pane.width(), 1}, Role::kSelection);
}

// Why the table is empty.
std::string EmptyReason(const State& state) {
  const Language language = state.settings.language;
  if (!state.has_frame) return {};
  if (!state.filter.empty()) return Say(language, text::kTopNoMatch, Printable(state.filter));
  for (const size_t i : ShownDevices(state)) {
    const Known<double>& count = state.frame.devices[i].process_count;
    if (!count) {
      return Say(language, text::kTopProcessesMissing, Describe(count.missing(), language));
    }
  }
  return ShownDevices(state).empty() ? std::string() : Say(language, text::kTopNoProcesses);
}

}  // namespace

void DrawTableHeading(const Pane& pane, const State& state) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  pane.Fill({0, 0, pane.width(), 1}, U' ', Role::kHeading);
  for (const PlacedColumn& placed : PlaceColumns(state.columns, pane.width(), language)) {
    const ColumnRow& row = RowOf(placed.id);
    std::string title = Say(language, row.title);
    const bool sorted = placed.id == state.sort;
    // The arrow stands in the gap beside a title that fills its column.
    const std::string_view arrow = state.falling ? glyphs.down : glyphs.up;
    const Style style = sorted ? Style(Role::kHeading, kBold) : Style(Role::kHeading);
    const int width = DisplayWidth(title);
    const int x = row.right ? placed.x + placed.width - width : placed.x;
    const Pane part = pane.Part({placed.x, 0, placed.width, 1});
    part.Put(x - placed.x, 0, title, style);
    if (!sorted) continue;
    if (row.right) {
      pane.Put(x - 1, 0, arrow, style);
    } else {
      pane.Put(x + width, 0, arrow, style);
    }
  }
}

void DrawTable(const Pane& pane, const State& state) {
  if (state.rows.empty()) {
    pane.Put(0, 0, EmptyReason(state), Role::kMuted);
    return;
  }
  const auto columns = PlaceColumns(state.columns, pane.width(), state.settings.language);
  const int count = static_cast<int>(state.rows.size());
  const int first = std::clamp(state.first_row, 0, std::max(0, count - pane.height()));
  for (int row = 0; row < pane.height() && first + row < count; ++row) {
    DrawRow(pane, row, state, state.rows[static_cast<size_t>(first + row)], columns);
  }
}

}  // namespace gpusight::tui
