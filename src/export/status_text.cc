// SPDX-License-Identifier: Apache-2.0
#include "export/status_text.h"

#include <fmt/core.h>

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
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
                 : style.Say(text::kHostCpus, cpus));
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

}  // namespace

std::string StatusPage(const Style& style, const Frame& frame, std::span<const size_t> devices,
                       std::string_view program) {
  Footnotes notes(true);
  std::string out = Head(style, frame, program) + HostLine(style, frame.host);
  for (const size_t device : devices) out += '\n' + DeviceBlock(style, frame, device, notes);
  const std::string table = ProcessTable(style, frame, devices, notes);
  out += '\n' + (table.empty() ? "  " + style.Say(text::kNoProcesses) + '\n' : table);
  const std::string footer = notes.Render(style);
  if (!footer.empty()) out += '\n' + footer;
  return out;
}

}  // namespace gpusight::exporting
