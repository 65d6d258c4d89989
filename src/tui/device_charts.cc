// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "model/text/top.h"
#include "tui/chart.h"
#include "tui/format.h"
#include "tui/pages.h"
#include "tui/panels.h"

namespace gpusight::tui {
namespace {

constexpr int kLeastWidth = 18;  // of one chart, its gap included
constexpr int kStackHeight = 9;  // from here on two rows of charts rather than fewer charts
constexpr int64_t kHoldNs = 2'000'000'000;

struct ChartStyle {
  ChartId id;
  Text title;
  Role role;
};

ChartStyle StyleOf(ChartId id) {
  switch (id) {
    case ChartId::kUtilization:
      return {id, text::kTopUtil, Role::kUtil};
    case ChartId::kSm:
      return {id, text::kTopSm, Role::kSm};
    case ChartId::kTensor:
      return {id, text::kTopTensor, Role::kTensor};
    case ChartId::kDram:
      return {id, text::kTopDram, Role::kDram};
    case ChartId::kMemoryActivity:
      return {id, text::kTopMemoryActivity, Role::kDram};
    case ChartId::kMemory:
      return {id, text::kTopMemory, Role::kMemory};
    case ChartId::kPower:
    case ChartId::kCount:
      break;
  }
  return {ChartId::kPower, text::kTopPower, Role::kPower};
}

std::vector<ChartId> ChartsOf(const DeviceSample& device) {
  const auto never = [&](ChartId id) { return Never(ChartValue(device, id)); };
  std::vector<ChartId> charts;
  if (!never(ChartId::kUtilization) || never(ChartId::kSm)) {
    charts.push_back(ChartId::kUtilization);
  }
  for (const ChartId id : {ChartId::kSm, ChartId::kTensor}) {
    if (!never(id)) charts.push_back(id);
  }
  if (!never(ChartId::kDram)) {
    charts.push_back(ChartId::kDram);
  } else if (!never(ChartId::kMemoryActivity)) {
    charts.push_back(ChartId::kMemoryActivity);
  }
  for (const ChartId id : {ChartId::kMemory, ChartId::kPower}) {
    if (!never(id)) charts.push_back(id);
  }
  return charts;
}

std::string ValueText(const DeviceSample& device, ChartId id, const Glyphs& glyphs) {
  if (id == ChartId::kPower) return Show(device[DeviceField::kPower], Unit::kWatts, glyphs);
  return ShowPercent(ChartValue(device, id), glyphs);
}

// One chart with its title above.
void DrawTitled(const Pane& pane, const State& state, const DeviceSample& device,
                const ChartStyle& chart, bool with_span) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const std::string value = ValueText(device, chart.id, glyphs);
  const int end = pane.Put(pane.Put(0, 0, Say(language, chart.title), Role::kMuted) + 1, 0, value,
                           Style(chart.role, kBold));
  const Rect body = {0, 1, pane.width(), pane.height() - 1};
  if (with_span) {
    const double span =
        DotSpans()[state.zoom] * static_cast<double>(ChartColumns(body.width, body.height, glyphs));
    const std::string text = ShowSpan(span);
    if (end + 2 + DisplayWidth(text) <= pane.width()) {
      pane.PutRight(pane.width(), 0, text, Role::kMuted);
    }
  }
  const Known<double> now = ChartValue(device, chart.id);
  DrawHistory(pane.Part(body), state, device, chart.id, chart.role);
  if (!now) {
    int row = body.y;
    for (const std::string& piece : Wrap(Describe(now.missing(), language), body.width)) {
      if (row < pane.height()) pane.Put(0, row++, piece, Role::kMuted);
    }
  }
}

// Titles and charts of one row: "util 91% ▂▄▆".
void DrawInline(const Pane& pane, const State& state, const DeviceSample& device,
                const std::vector<ChartId>& charts) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const int count = std::clamp(pane.width() / kLeastWidth, 1, static_cast<int>(charts.size()));
  for (int i = 0; i < count; ++i) {
    const int from = pane.width() * i / count, to = pane.width() * (i + 1) / count;
    const Pane part = pane.Part({from, 0, to - from - (i + 1 < count ? 2 : 0), 1});
    const ChartStyle chart = StyleOf(charts[static_cast<size_t>(i)]);
    int column = part.Put(0, 0, Say(language, chart.title), Role::kMuted) + 1;
    column = part.Put(column, 0, Pad(ValueText(device, chart.id, glyphs), 4, true),
                      Style(chart.role, kBold));
    DrawHistory(part.Part({column + 1, 0, part.width() - column - 1, 1}), state, device, chart.id,
                chart.role);
  }
}

}  // namespace

void DrawHistory(const Pane& pane, const State& state, const DeviceSample& device, ChartId id,
                 Role role) {
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const Series* series = state.history.Find(device.info, id);
  if (series == nullptr || pane.area().empty()) return;
  const auto width_ns = static_cast<int64_t>(std::llround(DotSpans()[state.zoom] * 1e9));
  // A value holds until the next frame may be expected.
  const auto hold = std::max(kHoldNs, static_cast<int64_t>(state.interval * 1.5e9));
  const auto columns = series->Columns(state.frame.time.ns, width_ns,
                                       ChartColumns(pane.width(), pane.height(), glyphs), hold);
  DrawChart(pane, columns, 1.0, role, glyphs);
}

void DrawCharts(const Pane& pane, const State& state, size_t index) {
  const DeviceSample& device = state.frame.devices[index];
  std::vector<ChartId> charts = ChartsOf(device);
  if (charts.empty()) return;
  if (pane.height() < 3) return DrawInline(pane, state, device, charts);

  const int total = static_cast<int>(charts.size());
  const int fit = std::clamp(pane.width() / kLeastWidth, 1, total);
  int lines = 1, per_line = fit;
  if (fit < total && pane.height() >= kStackHeight && fit > 1) {
    lines = 2;
    per_line = std::min(fit, (total + 1) / 2);
  }
  for (int i = 0; i < std::min(lines * per_line, total); ++i) {
    const int line = i / per_line, place = i % per_line;
    const int from = pane.width() * place / per_line;
    const int to = pane.width() * (place + 1) / per_line;
    const int top = pane.height() * line / lines, bottom = pane.height() * (line + 1) / lines;
    const Rect area = {from, top, to - from - (place + 1 < per_line ? 1 : 0), bottom - top};
    DrawTitled(pane.Part(area), state, device, StyleOf(charts[static_cast<size_t>(i)]), place == 0);
  }
}

}  // namespace gpusight::tui
