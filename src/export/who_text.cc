// SPDX-License-Identifier: Apache-2.0
#include "export/who_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "export/account_text.h"
#include "export/device_label.h"
#include "export/footnotes.h"
#include "export/holders.h"
#include "export/process_table.h"
#include "export/table.h"
#include "export/wrap.h"
#include "model/text/status.h"
#include "model/text/who.h"

namespace gpusight::exporting {
namespace {

std::string Title(const Style& style, const Frame& frame, size_t at, const Account& account) {
  const std::string name =
      Truncate(DeviceTitle(frame, at), style.columns, style.unicode ? "…" : "~");
  std::string out = Paint(style, Tone::kTitle, name);
  if (account.used && account.total && *account.total > 0) {
    const std::string total = FormatBytes(*account.total);
    std::string used = FormatBytes(*account.used);
    used = *account.used > *account.total ? style.Say(text::kWhoUsedMore, used, total)
                                          : style.Say(text::kWhoUsed, used, total,
                                                      FormatRatio(*account.used / *account.total));
    const bool fits = DisplayWidth(name) + 2 + DisplayWidth(used) <= style.columns;
    out += (fits ? "  " : "\n  ") + used;
  }
  return out + '\n';
}

const Text& ResidualText(const DeviceHolders& device, const Frame& frame, size_t at) {
  switch (device.residual) {
    case ResidualKind::kUnknown:
      return text::kResidualUnknown;
    case ResidualKind::kNone:
      if (frame.devices[at].info.unified_memory) return text::kResidualUnified;
      return *device.account.used > 0 ? text::kResidualNone : text::kResidualNothing;
    case ResidualKind::kNegative:
      return text::kResidualNegative;
    case ResidualKind::kUnlisted:
      return device.holders.empty() ? text::kResidualUnlisted : text::kResidualHidden;
    case ResidualKind::kUnowned:
      return text::kResidualUnowned;
    case ResidualKind::kContexts:
      return frame.host.sees_all_processes.value_or(false) ? text::kResidualContexts
                                                           : text::kResidualContextsOrHidden;
    case ResidualKind::kIdle:
      return text::kResidualIdle;
  }
  return text::kResidualUnknown;
}

// A remark below the table: a mark, or none, and the sentence wrapped behind it.
std::string Sentence(const Style& style, Tone tone, std::string_view mark,
                     std::string_view sentence) {
  constexpr int kBehind = 5;
  return "  " + Paint(style, tone, Pad(mark, 3) + Wrap(sentence, style.columns, kBehind)) + '\n';
}

// The share of each holder of what is used, and behind them that of the residual, as text. They add
// up to 100 where the account does.
std::vector<std::string> SharesOf(const DeviceHolders& device) {
  const Account& account = device.account;
  std::vector<std::string> out(device.holders.size() + 1, "-");
  if (!account.used || *account.used <= 0) return out;
  std::vector<double> percent;
  const bool adds = account.residual.known() && *account.residual >= 0;
  const auto add = [&](const Known<double>& part) {
    percent.push_back(part.value_or(0) / *account.used * 100);
    if (part) out[percent.size() - 1].clear();
  };
  for (const Holder& holder : device.holders) add(holder.use->fields[UseField::kMemory]);
  add(account.residual);
  std::vector<int64_t> shown;
  for (const double part : percent) shown.push_back(std::llround(part));
  if (adds) shown = RoundToSum(percent, 100);
  for (size_t i = 0; i < out.size(); ++i) {
    if (!out[i].empty()) continue;
    out[i] = shown[i] == 0 && percent[i] > 0 ? "<1%" : fmt::format("{}%", shown[i]);
  }
  return out;
}

std::string HolderTable(const Style& style, const Frame& frame, const DeviceHolders& device,
                        std::span<const std::string> shares, Footnotes& notes) {
  const bool jobs = std::any_of(device.holders.begin(), device.holders.end(),
                                [&](const Holder& h) { return !JobOf(frame, *h.process).empty(); });
  std::vector<Column> columns = {{style.Say(text::kColumnPid), true},
                                 {style.Say(text::kColumnUser), false, 12, 1},
                                 {style.Say(text::kWhoContainer), false, 24, 3}};
  if (jobs) columns.push_back({style.Say(text::kColumnJob), false, 16, 2});
  columns.push_back({style.Say(text::kColumnSince), false, 0, 5});
  columns.push_back({style.Say(text::kColumnMemory), true});
  columns.push_back({style.Say(text::kColumnShare), true, 0, 4});
  columns.push_back({style.Say(text::kColumnCommand)});
  Table table(columns);
  for (size_t i = 0; i < device.holders.size(); ++i) {
    const Holder& holder = device.holders[i];
    const ProcessSample& p = *holder.process;
    const auto words = [](const Known<std::string>& value) -> Cell {
      if (!value) return {"-", Tone::kDim};
      return {Printable(*value)};
    };
    std::vector<Cell> cells = {{fmt::format("{}", p.pid), p.translated ? Tone::kPlain : Tone::kDim},
                               words(p.user),
                               words(ContainerOrPod(frame, p))};
    if (jobs) cells.push_back({Printable(JobOf(frame, p))});
    cells.push_back(p.start_time ? Cell{SinceText(frame.time, *p.start_time)}
                                 : Cell{"-", Tone::kDim});
    const Known<double>& memory = holder.use->fields[UseField::kMemory];
    cells.push_back(
        memory ? Cell{FormatBytes(*memory)}
               : Cell{notes.Missed(style, style.Say(text::kColumnMemory), memory.missing()),
                      Tone::kDim});
    cells.push_back({shares[i]});
    cells.push_back({CommandText(style, p), p.zombie ? Tone::kNote : Tone::kPlain});
    table.Add(std::move(cells));
  }
  return table.empty() ? "" : table.Render(style, 2);
}

}  // namespace

std::string WhoPage(const Style& style, const Frame& frame, std::span<const size_t> devices) {
  Footnotes notes;
  std::string out;
  for (const size_t at : devices) {
    if (!out.empty()) out += '\n';
    const DeviceHolders device = HoldersOf(frame, at);
    out += Title(style, frame, at, device.account);
    const std::vector<std::string> shares = SharesOf(device);
    out += HolderTable(style, frame, device, shares, notes);
    if (device.holders.empty()) {
      const Known<double>& count = frame.devices[at].process_count;
      out += "  " +
             Wrap(count ? style.Say(text::kWhoNobody)
                        : style.Say(text::kWhoNoList, Describe(count.missing(), style.language)),
                  style.columns, 2) +
             '\n';
    }
    const auto line = [&](Tone tone, std::string_view mark, const std::string& sentence) {
      out += Sentence(style, tone, mark, sentence);
    };
    if (device.hidden > 0) {
      line(Tone::kNote, "!",
           style.Say(text::kWhoHidden, device.hidden, FormatBytes(device.hidden_bytes)));
    }
    if (device.zombies > 0) {
      line(Tone::kNote, "!",
           style.Say(text::kWhoZombies, device.zombies, ZombieAmount(device, style.language)));
    }
    const Known<double>& residual = device.account.residual;
    std::string amount =
        residual ? FormatBytes(std::abs(*residual)) : Describe(residual.missing(), style.language);
    if (residual && *residual > 0) amount += style.Say(text::kWhoShare, shares.back());
    const bool strange =
        device.residual == ResidualKind::kUnlisted || device.residual == ResidualKind::kUnowned;
    line(strange ? Tone::kNote : Tone::kDim, strange ? "!" : "",
         style.Say(ResidualText(device, frame, at), amount));
  }
  const std::string footer = notes.Render(style);
  if (!footer.empty()) out += '\n' + footer;
  return out;
}

}  // namespace gpusight::exporting
