// SPDX-License-Identifier: Apache-2.0
#include "export/device_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "export/account_text.h"
#include "export/device_label.h"
#include "export/device_remarks.h"
#include "export/wrap.h"
#include "model/text/status.h"

namespace gpusight::exporting {
namespace {

constexpr int kIndent = 2;
constexpr int kGap = 2;
constexpr int kMeterCells = 20;

std::string Line(const Style& style, std::string_view label, int label_width,
                 std::string_view body) {
  std::string out(kIndent, ' ');
  out += Paint(style, Tone::kDim, Pad(label, label_width));
  out += "  ";
  out += body;
  return out + '\n';
}

std::string Title(const Style& style, const Frame& frame, size_t at) {
  const DeviceInfo& info = frame.devices[at].info;
  const std::string name =
      Truncate(DeviceTitle(frame, at), style.columns, style.unicode ? "…" : "~");
  const std::string uuid = Printable(info.uuid);
  const std::string_view bus = info.pci_bus_id;
  std::string right = uuid;
  // The bus address where it fits; its domain only when it is not the usual one.
  if (!bus.empty()) {
    const std::string address = Printable(bus.starts_with("00000000:") ? bus.substr(9) : bus);
    if (DisplayWidth(name) + DisplayWidth(address) + DisplayWidth(right) + 5 <= style.columns) {
      right = address + "  " + right;
    }
  }
  const int room = style.columns - DisplayWidth(name) - 2;
  right = Truncate(right, std::max(room, 0), style.unicode ? "…" : "~");
  if (right.empty()) return Paint(style, Tone::kTitle, name) + '\n';
  return Paint(style, Tone::kTitle, name) + "  " +
         Paint(style, Tone::kDim, Pad(right, room, true)) + '\n';
}

std::vector<std::string> Busy(const Style& style, const DeviceSample& device, int room,
                              Footnotes& notes) {
  const auto ratio = [&](DeviceField field) {
    const Known<double>& value = device[field];
    if (value) return FormatRatio(*value);
    return notes.Missed(style, style.Say(Row(field).label), value.missing());
  };
  const Known<double>& use = device[DeviceField::kUtilization];
  const std::string pieces[] = {
      Pad(ratio(DeviceField::kUtilization), 4, true) + " " +
          Meter(style, use.value_or(0), std::clamp(room - 5, 1, kMeterCells)),
      style.Say(text::kSm, ratio(DeviceField::kSmActivity)),
      style.Say(text::kTensor, ratio(DeviceField::kTensorActivity)),
      style.Say(text::kDram, ratio(DeviceField::kDramActivity))};
  return FillLines(pieces, room, kGap);
}

// The driver's own samples as a chart of at most `cells` cells.
std::vector<std::string> Past(const Style& style, WallTime now, const DeviceSample& device,
                              int cells, int room) {
  const auto& ring = device.utilization_ring;
  const size_t width = std::min(ring.size(), static_cast<size_t>(cells));
  std::vector<double> means(width);
  for (size_t i = 0; i < width; ++i) {
    const size_t first = ring.size() * i / width, last = ring.size() * (i + 1) / width;
    for (size_t j = first; j < last; ++j) means[i] += ring[j].value;
    means[i] /= static_cast<double>(last - first);
  }
  const auto ratio = [&](DeviceField field) {
    return device[field] ? FormatRatio(*device[field]) : std::string();
  };
  std::vector<std::string> out = {Pad(ratio(DeviceField::kUtilizationMean), 4, true) + " " +
                                  Sparkline(style, means)};
  const double span = now.seconds() - ring.front().time.seconds();
  out.push_back(style.Say(text::kMeanOver, FormatDuration(std::max(span, 0.0))));
  const auto add = [&](const Text& text, DeviceField field) {
    if (device[field]) out.push_back(style.Say(text, ratio(field)));
  };
  add(text::kMax, DeviceField::kUtilizationMax);
  add(text::kIdle, DeviceField::kIdleShare);
  return FillLines(out, room, kGap);
}

std::string MemoryBar(const Style& style, const Account& account, int cells) {
  const double total = account.total.value_or(0);
  if (total <= 0) return {};
  const double used = account.used.value_or(0);
  // When the shares of the processes are not known, all that is used is drawn as theirs.
  const double processes = std::min(account.processes.value_or(used), used);
  const double driver = account.driver_reserved.value_or(0);
  const Part parts[] = {{processes / total, "█", "#"},
                        {(used - processes) / total, "▓", "="},
                        {driver / total, "▒", "-"},
                        {0, "·", "."}};
  return StackedBar(style, parts, cells);
}

// "585 / 700 W": what is, and its limit where that is known.
std::string Against(const Known<double>& value, const Known<double>& limit, double unit) {
  std::string out = fmt::format("{:.0f}", *value / unit);
  if (limit) out += fmt::format("/{:.0f}", *limit / unit);
  return out;
}

// Heat, power, clocks and link, on as many lines of at most `room` cells as they need.
std::vector<std::string> Vitals(const Style& style, const DeviceSample& device, int room,
                                Footnotes& notes) {
  std::vector<std::string> pieces;
  const auto add = [&](std::string text) { pieces.push_back(std::move(text)); };
  const auto figure = [&](DeviceField field, const auto& make) {
    const Known<double>& value = device[field];
    if (value) {
      add(make(value));
    } else if (!device.is_mig_instance()) {  // these are its GPU's
      notes.Missed(style, style.Say(Row(field).label), value.missing());
    }
  };
  figure(DeviceField::kTemperature, [&](const Known<double>& value) {
    return fmt::format("{:.0f}{}", *value, style.unicode ? "°C" : "C");
  });
  figure(DeviceField::kPower, [&](const Known<double>& value) {
    return Against(value, device[DeviceField::kPowerLimit], 1) + " W";
  });
  figure(DeviceField::kSmClock, [&](const Known<double>& value) {
    return style.Say(text::kClockSm, Against(value, device[DeviceField::kSmClockMax], 1e6));
  });
  figure(DeviceField::kMemoryClock, [&](const Known<double>& value) {
    return style.Say(text::kClockMemory, Against(value, device[DeviceField::kMemoryClockMax], 1e6));
  });
  if (const auto& state = device[DeviceField::kPerformanceState]) {
    add(fmt::format("P{:.0f}", *state));
  }
  if (device[DeviceField::kPcieGeneration] && device[DeviceField::kPcieWidth]) {
    add(fmt::format("PCIe {:.0f} x{:.0f}", *device[DeviceField::kPcieGeneration],
                    *device[DeviceField::kPcieWidth]));
  }
  if (const auto& fan = device[DeviceField::kFan]) {
    add(style.Say(Row(DeviceField::kFan).label) + " " + FormatRatio(*fan));
  }
  return FillLines(pieces, room, kGap);
}

}  // namespace

std::string DeviceBlock(const Style& style, const Frame& frame, size_t at, Footnotes& notes) {
  const DeviceSample& device = frame.devices[at];
  std::string out = Title(style, frame, at);
  const std::string busy = style.Say(text::kLabelBusy), memory = style.Say(text::kLabelMemory);
  const std::string past = style.Say(text::kLabelPast);
  const int width = std::max({DisplayWidth(busy), DisplayWidth(memory), DisplayWidth(past)});

  const int room = std::max(style.columns - kIndent - width - kGap, 1);
  const auto lines = [&](std::string_view label, const std::vector<std::string>& bodies) {
    for (size_t i = 0; i < bodies.size(); ++i) {
      out += Line(style, i == 0 ? label : std::string_view(), width, bodies[i]);
    }
  };

  if (device.state == DeviceState::kOk) {
    lines(busy, Busy(style, device, room, notes));
    if (!device.utilization_ring.empty()) {
      const int cells = std::clamp(style.columns - width - 50, 12, 72);
      lines(past, Past(style, frame.time, device, cells, room));
    }
    const Account account = AccountOf(frame, at);
    if (account.total && account.used) {
      const int cells = std::clamp(style.columns - width - 34, 6, 60);
      out += Line(
          style, memory, width,
          MemoryBar(style, account, cells) + "  " +
              style.Say(text::kMemoryOf, FormatBytes(*account.used), FormatBytes(*account.total)));
      lines("", AccountLines(style, account, room, notes));
    } else {
      const Known<double>& missing = account.total ? account.used : account.total;
      out += Line(style, memory, width, notes.Missed(style, memory, missing.missing()));
    }
    lines("", Vitals(style, device, room, notes));
  }
  for (const auto& remarks :
       {RemarksOn(device, style.language), RemarksOnHolders(frame, at, style.language)}) {
    for (const Remark& remark : remarks) {
      constexpr int kBehind = kIndent + 3;
      out += std::string(kIndent, ' ') +
             Paint(style, remark.problem ? Tone::kProblem : Tone::kNote,
                   (remark.problem ? "!! " : "!  ") + Wrap(remark.text, style.columns, kBehind)) +
             '\n';
    }
  }
  return out;
}

}  // namespace gpusight::exporting
