// SPDX-License-Identifier: Apache-2.0
#include "export/status_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "export/device_label.h"
#include "export/device_text.h"
#include "export/footnotes.h"
#include "export/process_table.h"
#include "model/text/status.h"

namespace gpusight::exporting {
namespace {

// "a · b · c", on as many lines as it takes.
class DotList {
 public:
  explicit DotList(const Style& style) : style_(style) {}
  void Add(std::string_view piece) {
    if (piece.empty()) return;
    const std::string_view dot = out_.empty() ? "" : style_.unicode ? " · " : " | ";
    const int cells = DisplayWidth(dot) + DisplayWidth(piece);
    if (used_ > 0 && used_ + cells > style_.columns) {
      out_ += '\n';
      used_ = DisplayWidth(piece);
    } else {
      out_ += dot;
      used_ += cells;
    }
    out_ += piece;
  }
  std::string Take() { return std::move(out_); }

 private:
  const Style& style_;
  std::string out_;
  int used_ = 0;  // cells of the last line
};

std::string Head(const Style& style, const Frame& frame, std::string_view program) {
  DotList list(style);
  list.Add(program);
  list.Add(Printable(frame.host.hostname));
  list.Add(FormatLocal(frame.time));
  if (!frame.driver.version.empty()) {
    list.Add(style.Say(text::kDriver, Printable(frame.driver.version)));
  }
  if (!frame.driver.cuda_version.empty()) list.Add("CUDA " + Printable(frame.driver.cuda_version));
  return Paint(style, Tone::kTitle, list.Take()) + '\n';
}

std::string HostLine(const Style& style, const HostSample& host) {
  DotList list(style);
  const auto& f = host.fields;
  if (f[HostField::kCpus]) {
    const auto cpus = static_cast<int64_t>(*f[HostField::kCpus]);
    list.Add(f[HostField::kCpu]
                 ? style.Say(text::kHostCpu, fmt::format("{:.1f}", *f[HostField::kCpu]), cpus)
                 : SayCount(style.language, text::kHostCpus, cpus));
  }
  if (f[HostField::kLoad1]) list.Add(style.Say(text::kHostLoad, *f[HostField::kLoad1]));
  const auto used_of = [&](const Text& text, const Known<double>& used,
                           const Known<double>& total) {
    if (used && total) list.Add(style.Say(text, FormatBytes(*used), FormatBytes(*total)));
  };
  const auto& total = f[HostField::kMemoryTotal];
  const auto& available = f[HostField::kMemoryAvailable];
  if (total && available) used_of(text::kHostMemory, *total - *available, total);
  used_of(text::kHostShm, f[HostField::kShmUsed], f[HostField::kShmTotal]);
  const std::string line = list.Take();
  return line.empty() ? line : Paint(style, Tone::kDim, line) + '\n';
}

// What stands below the table, or in its place: that there are no processes, or that their list is
// not known, which is something else.
std::string WithoutList(const Style& style, const Frame& frame, std::span<const size_t> devices,
                        bool nobody) {
  std::vector<std::pair<std::string, std::string>> unknown;  // reason, devices
  for (const size_t at : devices) {
    const Known<double>& count = frame.devices[at].process_count;
    // A GPU that is divided leaves its list to its instances.
    if (count || count.missing().why == Absence::kUnderMig) continue;
    std::string reason = Describe(count.missing(), style.language);
    const std::string name = "GPU " + DeviceLabel(frame, at);
    const auto same = std::find_if(unknown.begin(), unknown.end(),
                                   [&](const auto& one) { return one.first == reason; });
    if (same == unknown.end()) {
      unknown.emplace_back(std::move(reason), name);
    } else {
      same->second += ", " + name;
    }
  }
  if (unknown.empty()) return nobody ? "  " + style.Say(text::kNoProcesses) + '\n' : "";
  std::string out;
  for (const auto& [reason, names] : unknown) {
    out += "  " + style.Say(text::kProcessesUnknown, names, reason) + '\n';
  }
  return out;
}

}  // namespace

std::string StatusPage(const Style& style, const Frame& frame, std::span<const size_t> devices,
                       std::string_view program) {
  Footnotes notes(true);
  std::string out = Head(style, frame, program) + HostLine(style, frame.host);
  for (const size_t device : devices) out += '\n' + DeviceBlock(style, frame, device, notes);
  const std::string table = ProcessTable(style, frame, devices, notes);
  out += '\n' + table + WithoutList(style, frame, devices, table.empty());
  const std::string footer = notes.Render(style);
  if (!footer.empty()) out += '\n' + footer;
  return out;
}

}  // namespace gpusight::exporting
