// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/text/top.h"
#include "tui/columns.h"
#include "tui/glyphs.h"
#include "tui/keys.h"
#include "tui/pages.h"

namespace gpusight::tui {
namespace {

void MemoryBar(PageWriter& writer, const Glyphs& glyphs, Language language) {
  struct Part {
    Text name;
    Style style;
  };
  const Part parts[] = {{text::kTopProcesses, Role::kMemory},
                        {text::kTopResidual, Role::kResidual},
                        {text::kTopReserved, Role::kReserved},
                        {text::kTopFree, Role::kFree}};
  PageLine line;
  for (size_t i = 0; i < std::size(parts); ++i) {
    line.push_back({std::string(glyphs.bar[i]) + std::string(glyphs.bar[i]) + ' ', parts[i].style});
    line.push_back({std::string(parts[i].name.In(language)) + "   ", Role::kText});
  }
  writer.Add(std::move(line));
}

}  // namespace

Page HelpPage(const State& state, int width) {
  const Language language = state.settings.language;
  Page page;
  page.title = Say(language, text::kTopHelpTitle);
  PageWriter writer(page, width);
  writer.Section(Say(language, text::kTopHelpKeys));
  int keys = 0;
  for (const Binding& binding : Bindings()) {
    keys = std::max(keys, DisplayWidth(binding.keys));
  }
  const auto replaced = [&](const Binding& binding) {
    const auto others = PlaybackBindings();
    return state.playback && std::any_of(others.begin(), others.end(), [&](const Binding& other) {
             return other.action == binding.action;
           });
  };
  const auto entry = [&](const Binding& binding) {
    writer.Entry(std::string(binding.keys), keys, Say(language, binding.help), {}, Role::kKey);
  };
  for (const Binding& binding : Bindings()) {
    if (!replaced(binding)) entry(binding);
  }
  if (state.playback) {
    writer.Section(Say(language, text::kTopHelpPlayback));
    for (const Binding& binding : PlaybackBindings()) entry(binding);
  }
  writer.Section(Say(language, text::kTopHelpMouse));
  writer.Text(Say(language, text::kTopHelpMouseText));
  writer.Section(Say(language, text::kTopHelpCharts));
  writer.Text(Say(language, text::kTopHelpChartsText));
  writer.Section(Say(language, text::kTopHelpBar));
  MemoryBar(writer, GlyphsFor(state.settings.ascii), language);
  writer.Section(Say(language, text::kTopHelpColumns));
  int titles = 0;
  for (const ColumnRow& row : ColumnRows()) {
    titles = std::max(titles, DisplayWidth(row.title.In(language)));
  }
  for (const ColumnRow& row : ColumnRows()) {
    writer.Entry(Say(language, row.title), titles, Say(language, row.meaning));
  }
  return page;
}

}  // namespace gpusight::tui
