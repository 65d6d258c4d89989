// SPDX-License-Identifier: Apache-2.0
// The panel of one device. What it shows depends on its height:
//   2  name; values with small charts      3  + memory bar
//   4  + clocks and links                  5  + memory account
//   6  name, memory bar, clocks and links, charts with titles     7 and more  + memory account
#include <fmt/core.h>

#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "model/account.h"
#include "model/finding_text.h"
#include "model/text/top.h"
#include "tui/format.h"
#include "tui/line.h"
#include "tui/meter.h"
#include "tui/pages.h"
#include "tui/panels.h"

namespace gpusight::tui {
namespace {

struct Parts {
  bool memory = false, account = false, links = false, charts = false;
};
Parts PartsFor(int height) {
  return {.memory = height >= 3,
          .account = height == 5 || height >= kChartPanelHeight + 1,
          .links = height >= 4,
          .charts = height >= 2};
}

std::string NameOf(const State& state, size_t index) {
  const DeviceInfo& info = state.frame.devices[index].info;
  std::string name = Printable(info.name);
  if (info.unified_memory) name += " (" + Say(state.settings.language, text::kTopUnified) + ")";
  return name;
}

void DrawName(const Pane& pane, int row, const State& state, size_t index, bool memory_too) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const DeviceSample& device = state.frame.devices[index];
  Line line;
  line.Add(DeviceLabel(state.frame, index), Style(Role::kTitle, kReverse));
  line.Add(NameOf(state, index), Role::kTitle, 2);
  if (device.state != DeviceState::kOk) {
    line.Add(Say(language, StateName(device.state)), Role::kBad, 0);
  }
  for (const Notice& notice : NoticesOf(state, index)) {
    line.Add(notice.text, notice.bad ? Role::kBad : Role::kWarning, 1, 2);
  }
  line.Right();
  if (device.state == DeviceState::kOk) {
    if (memory_too) {
      line.Add(
          ShowBytesOf(device[DeviceField::kMemoryUsed], device[DeviceField::kMemoryTotal], glyphs),
          Role::kMemory, 3, 2);
    }
    const auto& limit = device[DeviceField::kPowerLimit];
    const auto& power = device[DeviceField::kPower];
    if (!Never(power)) {
      line.Add(power && limit ? fmt::format("{:.0f}/{:.0f}W", *power, *limit)
                              : Show(power, Unit::kWatts, glyphs),
               Role::kText, 4, 2);
    }
    const auto& heat = device[DeviceField::kTemperature];
    if (!Never(heat)) line.Add(Show(heat, Unit::kCelsius, glyphs), Role::kText, 5, 2);
  }
  line.Draw(pane, row, glyphs.rule);
}

void DrawMemory(const Pane& pane, int row, const State& state, const DeviceSample& device,
                const Account& account) {
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const std::string label = Say(state.settings.language, text::kTopMemory);
  std::string numbers = ShowBytesOf(account.used, account.total, glyphs);
  numbers += ' ' + Pad(ShowPercent(ChartValue(device, ChartId::kMemory), glyphs), 4, true);
  const int begin = pane.Put(0, row, label, Role::kMuted) + 1;
  const int end = pane.width() - DisplayWidth(numbers) - 1;
  if (end - begin < 6) {
    pane.Put(begin, row, numbers, Role::kMemory);
    return;
  }
  pane.PutRight(pane.width(), row, numbers, Role::kMemory);
  if (!account.total || !account.used) return;
  // Without the processes' share, all that is used stands as one part, which claims nothing of a
  // residual.
  const bool split = account.processes && account.residual;
  const MeterPart parts[] = {{split ? *account.processes : *account.used, glyphs.bar[0],
                              split ? Role::kMemory : Role::kMuted},
                             {split ? *account.residual : 0.0, glyphs.bar[1], Role::kResidual},
                             {account.driver_reserved.value_or(0), glyphs.bar[2], Role::kReserved},
                             {account.free.value_or(0), glyphs.bar[3], Role::kFree}};
  DrawMeter(pane.Part({begin, row, end - begin, 1}), parts, *account.total);
}

void DrawAccount(const Pane& pane, int row, const State& state, const Account& account) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  int indent = DisplayWidth(Say(language, text::kTopMemory)) + 1;
  struct Part {
    const Text& name;
    const Known<double>& bytes;
    Style style;
    int rank;
  };
  const Part parts[] = {{text::kTopProcesses, account.processes, Role::kMemory, 0},
                        {text::kTopResidual, account.residual, Role::kResidual, 2},
                        {text::kTopReserved, account.driver_reserved, Role::kReserved, 3},
                        {text::kTopFree, account.free, Role::kFree, 1}};
  Line line;
  for (size_t i = 0; i < std::size(parts); ++i) {
    line.Add(std::string(glyphs.bar[i]), parts[i].style, parts[i].rank, 2);
    line.Add(Say(language, parts[i].name), Role::kMuted, parts[i].rank);
    line.Add(Show(parts[i].bytes, Unit::kBytes, glyphs), Role::kText, parts[i].rank);
  }
  // Below the bar when it fits there.
  if (line.Width() > pane.width() - indent)
    indent = std::clamp(pane.width() - line.Width(), 0, indent);
  line.Draw(pane.Part({indent, row, pane.width() - indent, 1}), 0);
}

std::string Traffic(const Known<double>& into, const Known<double>& out, const Glyphs& glyphs) {
  return fmt::format("{}{} {}{}", glyphs.into, Show(into, Unit::kBytesPerSecond, glyphs),
                     glyphs.outof, Show(out, Unit::kBytesPerSecond, glyphs));
}

void DrawLinks(const Pane& pane, int row, const State& state, const DeviceSample& device) {
  const Language language = state.settings.language;
  const Glyphs& glyphs = GlyphsFor(state.settings.ascii);
  const auto whole = [&](DeviceField field) {
    return device[field] ? fmt::format("{:.0f}", *device[field]) : std::string(glyphs.missing);
  };
  const auto megahertz = [&](DeviceField field) {
    return device[field] ? fmt::format("{:.0f}", *device[field] / 1e6)
                         : std::string(glyphs.missing);
  };
  Line line;
  const auto never = [&](DeviceField field) { return Never(device[field]); };
  if (!never(DeviceField::kSmClock) || !never(DeviceField::kSmClockMax)) {
    line.Add(Say(language, text::kTopClock), Role::kMuted, 0);
    line.Add(fmt::format("{}/{}MHz", megahertz(DeviceField::kSmClock),
                         megahertz(DeviceField::kSmClockMax)),
             Role::kText, 0);
  }
  if (const auto& state_number = device[DeviceField::kPerformanceState]) {
    line.Add(fmt::format("P{:.0f}", *state_number), Role::kText, 3);
  }
  const bool traffic = !never(DeviceField::kPcieReceive) || !never(DeviceField::kPcieTransmit);
  const bool link = !never(DeviceField::kPcieGeneration) || !never(DeviceField::kPcieWidth);
  if (!device.info.coherent_link && (traffic || link)) {
    line.Add(Say(language, text::kTopPcie), Role::kMuted, 1, 3);
    if (traffic) {
      line.Add(
          Traffic(device[DeviceField::kPcieReceive], device[DeviceField::kPcieTransmit], glyphs),
          Role::kText, 1);
    }
    if (link) {
      line.Add(fmt::format("gen{} x{}", whole(DeviceField::kPcieGeneration),
                           whole(DeviceField::kPcieWidth)),
               Role::kText, 4);
    }
  }
  const auto& nvlink = device[DeviceField::kNvlinkReceive];
  if (nvlink || device[DeviceField::kNvlinkTransmit]) {
    line.Add(Say(language, text::kTopNvlink), Role::kMuted, 2, 3);
    line.Add(Traffic(nvlink, device[DeviceField::kNvlinkTransmit], glyphs), Role::kText, 2);
  }
  if (!never(DeviceField::kMemoryClock)) {
    line.Add(Say(language, text::kTopMemoryClock), Role::kMuted, 5, 3);
    line.Add(fmt::format("{}MHz", megahertz(DeviceField::kMemoryClock)), Role::kText, 5);
  }
  if (const auto& heat = device[DeviceField::kMemoryTemperature]) {
    line.Add(Show(heat, Unit::kCelsius, glyphs), Role::kText, 5);
  }
  if (const auto& fan = device[DeviceField::kFan]) {
    line.Add(Say(language, text::kTopFan), Role::kMuted, 6, 3);
    line.Add(ShowPercent(fan, glyphs), Role::kText, 6);
  }
  line.Draw(pane, row);
}

}  // namespace

std::vector<Notice> NoticesOf(const DeviceSample& device, Language language) {
  std::vector<Notice> notices;
  const auto above_zero = [&](DeviceField field) { return device[field].value_or(0) > 0; };
  if (above_zero(DeviceField::kXidErrors) && device[DeviceField::kLastXid]) {
    notices.push_back(
        {Say(language, text::kTopXid, fmt::format("{:.0f}", *device[DeviceField::kLastXid])),
         true});
  }
  if (above_zero(DeviceField::kRemapFailed)) {
    notices.push_back({Say(language, text::kTopRemapFailed), true});
  }
  if (above_zero(DeviceField::kEccUncorrected)) {
    notices.push_back(
        {Say(language, text::kTopEcc, fmt::format("{:.0f}", *device[DeviceField::kEccUncorrected])),
         true});
  }
  if (above_zero(DeviceField::kRemapPending)) {
    notices.push_back({Say(language, text::kTopRemapPending), false});
  }
  const std::string reasons = ThrottleReasons(device, language);
  if (!reasons.empty())
    notices.push_back({Say(language, text::kTopThrottle, reasons), false, reasons});
  return notices;
}

std::vector<Notice> NoticesOf(const State& state, size_t device) {
  const DeviceSample& sample = state.frame.devices[device];
  std::vector<Notice> notices = NoticesOf(sample, state.settings.language);
  for (const Finding& finding : state.findings) {
    if (finding.device_uuid != sample.info.uuid || finding.level == FindingLevel::kInfo) continue;
    if (!finding.is_cause() || !finding.behind.empty()) continue;
    notices.push_back({std::string(RuleTitle(finding.rule, state.settings.language)), false,
                       Printable(finding.rule)});
  }
  return notices;
}

void DrawDevice(const Pane& pane, const State& state, size_t index) {
  const DeviceSample& device = state.frame.devices[index];
  const Parts parts = PartsFor(pane.height());
  DrawName(pane, 0, state, index, !parts.memory);
  int row = 1;
  if (device.state != DeviceState::kOk) {
    const std::string why = Say(state.settings.language, StateExplanation(device.state));
    for (const std::string& piece : Wrap(why, std::max(1, pane.width()))) {
      if (row < pane.height()) pane.Put(0, row++, piece, Role::kText);
    }
    return;
  }
  const Account account = AccountOf(state.frame, index);
  if (parts.memory) DrawMemory(pane, row++, state, device, account);
  if (parts.account) DrawAccount(pane, row++, state, account);
  if (parts.links) DrawLinks(pane, row++, state, device);
  const Rect rest = {0, row, pane.width(), pane.height() - row};
  if (parts.charts && !rest.empty()) DrawCharts(pane.Part(rest), state, index);
}

}  // namespace gpusight::tui
