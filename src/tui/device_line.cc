// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "model/text/top.h"
#include "tui/format.h"
#include "tui/line.h"
#include "tui/panels.h"

namespace gpusight::tui {
namespace {

enum class Item : uint8_t {
  kIndex,
  kUtil,
  kMemoryShare,
  kSm,
  kMemory,
  kTensor,
  kDram,
  kPower,
  kTemperature,
  kName,
  kHistory
};

struct ItemRow {
  Item item;
  Text title;
  int width;
  bool right;
  int rank;  // the highest is left away first
  Role role;
};

constexpr ItemRow kItems[] = {
    {Item::kIndex, text::kTopDevice, 4, false, 0, Role::kTitle},
    {Item::kName, text::kTopName, 14, false, 7, Role::kText},
    {Item::kUtil, text::kTopUtil, 5, true, 0, Role::kUtil},
    {Item::kSm, text::kTopSm, 5, true, 1, Role::kSm},
    {Item::kTensor, text::kTopTensor, 6, true, 3, Role::kTensor},
    {Item::kDram, text::kTopDram, 5, true, 4, Role::kDram},
    {Item::kMemoryShare, text::kTopMemory, 6, true, 0, Role::kMemory},
    {Item::kMemory, Text(" ", " "), 15, true, 2, Role::kMemory},
    {Item::kPower, text::kTopPower, 9, true, 5, Role::kPower},
    {Item::kTemperature, text::kTopTemperature, 5, true, 6, Role::kText},
    {Item::kHistory, text::kTopUtil, 12, false, 8, Role::kUtil},
};

struct PlacedItem {
  const ItemRow* row;
  int x, width;
};

std::vector<PlacedItem> PlaceItems(int width, Language language) {
  const auto cells = [&](const ItemRow& row) {
    return std::max(row.width, DisplayWidth(row.title.In(language)));
  };
  const auto needed = [&](int rank) {
    int sum = -1;
    for (const ItemRow& row : kItems) sum += row.rank <= rank ? cells(row) + 1 : 0;
    return sum;
  };
  int rank = 8;
  while (rank > 0 && needed(rank) > width) --rank;
  int spare = std::max(0, width - needed(rank));
  std::vector<PlacedItem> placed;
  int x = 0;
  for (const ItemRow& row : kItems) {
    if (row.rank > rank || x >= width) continue;
    int own = cells(row);
    if (row.item == Item::kName) {  // long names get some of what is left
      const int more = std::min(spare, 12);
      own += more;
      spare -= more;
    }
    if (row.item == Item::kHistory) own += spare;
    own = std::min(own, width - x);
    placed.push_back({&row, x, own});
    x += own + 1;
  }
  return placed;
}

std::string TextOf(const State& state, size_t index, Item item) {
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const DeviceSample& device = state.frame.devices[index];
  switch (item) {
    case Item::kIndex:
      return DeviceLabel(state.frame, index);
    case Item::kName:
      return Printable(device.info.name);
    case Item::kUtil:
      return ShowPercent(ChartValue(device, ChartId::kUtilization), glyphs);
    case Item::kSm:
      return ShowPercent(ChartValue(device, ChartId::kSm), glyphs);
    case Item::kTensor:
      return ShowPercent(ChartValue(device, ChartId::kTensor), glyphs);
    case Item::kDram:
      return ShowPercent(ChartValue(device, ChartId::kDram), glyphs);
    case Item::kMemoryShare:
      return ShowPercent(ChartValue(device, ChartId::kMemory), glyphs);
    case Item::kMemory:
      return ShowBytesOf(device[DeviceField::kMemoryUsed], device[DeviceField::kMemoryTotal],
                         glyphs);
    case Item::kPower: {
      const auto& power = device[DeviceField::kPower];
      const auto& limit = device[DeviceField::kPowerLimit];
      return power && limit ? fmt::format("{:.0f}/{:.0f}W", *power, *limit)
                            : Show(power, Unit::kWatts, glyphs);
    }
    case Item::kTemperature:
      return Show(device[DeviceField::kTemperature], Unit::kCelsius, glyphs);
    case Item::kHistory:
      return {};
  }
  return {};
}

// In the place of the numbers: why there are none.
void DrawState(const Pane& pane, const State& state, size_t index) {
  const Language language = state.settings.language;
  const DeviceSample& device = state.frame.devices[index];
  Line line;
  line.Add(Pad(DeviceLabel(state.frame, index), 4), Role::kTitle);
  line.Add(Say(language, StateName(device.state)), Role::kBad, 0);
  line.Add(Printable(device.info.name), Role::kText, 1);
  line.Add(Say(language, StateExplanation(device.state)), Role::kMuted, 2, 2);
  line.Draw(pane, 0);
}

void DrawLabelled(const Pane& pane, const State& state, size_t index) {
  const Language language = state.settings.language;
  Line line;
  const auto item = [&](const Text& label, Item what, Role role, int rank) {
    line.Add(Say(language, label), Role::kMuted, rank);
    line.Add(TextOf(state, index, what), Style(role, kBold), rank);
  };
  line.Add(DeviceLabel(state.frame, index), Role::kTitle);
  item(text::kTopUtil, Item::kUtil, Role::kUtil, 0);
  item(text::kTopMemory, Item::kMemoryShare, Role::kMemory, 1);
  for (const Notice& notice : NoticesOf(state, index)) {
    line.Add(notice.text, notice.bad ? Role::kBad : Role::kWarning, 2, 2);
  }
  item(text::kTopSm, Item::kSm, Role::kSm, 3);
  item(text::kTopTensor, Item::kTensor, Role::kTensor, 4);
  item(text::kTopPower, Item::kPower, Role::kPower, 5);
  line.Draw(pane, 0);
}

}  // namespace

void DrawDeviceHeading(const Pane& pane, const State& state) {
  const Language language = state.settings.language;
  pane.Fill({0, 0, pane.width(), 1}, U' ', Role::kHeading);
  for (const PlacedItem& placed : PlaceItems(pane.width(), language)) {
    const std::string title = Say(language, placed.row->title);
    const Pane part = pane.Part({placed.x, 0, placed.width, 1});
    if (placed.row->right) {
      part.PutRight(placed.width, 0, title, Role::kHeading);
    } else {
      part.Put(0, 0, title, Role::kHeading);
    }
  }
}

void DrawDeviceLine(const Pane& pane, const State& state, size_t index, bool under_heading) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const DeviceSample& device = state.frame.devices[index];
  if (device.state != DeviceState::kOk) return DrawState(pane, state, index);
  if (!under_heading) return DrawLabelled(pane, state, index);
  const std::vector<Notice> notices = NoticesOf(state, index);
  std::string trouble;
  for (const Notice& notice : notices) trouble += (trouble.empty() ? "" : "  ") + notice.text;
  std::string brief;
  for (const Notice& notice : notices) {
    brief += brief.empty() ? "" : "  ";
    brief += notice.brief.empty() ? notice.text : notice.brief;
  }
  const Style trouble_style = !notices.empty() && notices.front().bad ? Role::kBad : Role::kWarning;
  // Trouble takes the place of the chart, or what is left of the line.
  const auto put_trouble = [&](const Pane& part) {
    const std::string& words = DisplayWidth(trouble) <= part.width() ? trouble : brief;
    part.Put(0, 0, Truncate(words, part.width(), glyphs.ellipsis), trouble_style);
  };
  int end = 0;
  bool history = false;
  for (const PlacedItem& placed : PlaceItems(pane.width(), language)) {
    const Pane part = pane.Part({placed.x, 0, placed.width, 1});
    end = placed.x + placed.width + 1;
    if (placed.row->item == Item::kHistory) {
      history = true;
      if (notices.empty()) {
        DrawHistory(part, state, device, ChartId::kUtilization, placed.row->role);
      } else {
        put_trouble(part);
      }
      continue;
    }
    const std::string text =
        Truncate(TextOf(state, index, placed.row->item), placed.width, glyphs.ellipsis);
    if (placed.row->right) {
      part.PutRight(placed.width, 0, text, placed.row->role);
      continue;
    }
    const int behind = part.Put(0, 0, text, placed.row->role);
    // A mark, for where the words have no room.
    if (placed.row->item == Item::kIndex && !notices.empty()) {
      part.Put(behind, 0, "!", trouble_style);
    }
  }
  if (!history && end < pane.width()) put_trouble(pane.Part({end, 0, pane.width() - end, 1}));
}

}  // namespace gpusight::tui
