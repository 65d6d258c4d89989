// SPDX-License-Identifier: Apache-2.0
#include "export/process_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "export/device_label.h"
#include "export/table.h"
#include "model/text/status.h"

namespace gpusight::exporting {
namespace {

struct UseRow {
  size_t device;
  const ProcessSample* process;
  const GpuUse* use;
};

std::vector<UseRow> UsesOf(const Frame& frame, std::span<const size_t> devices) {
  std::vector<UseRow> rows;
  for (const size_t device : devices) {
    const size_t first = rows.size();
    for (const ProcessSample& process : frame.processes) {
      for (const GpuUse& use : process.uses) {
        if (static_cast<size_t>(use.device) == device) rows.push_back({device, &process, &use});
      }
    }
    std::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                     [](const UseRow& a, const UseRow& b) {
                       return a.use->fields[UseField::kMemory].value_or(-1) >
                              b.use->fields[UseField::kMemory].value_or(-1);
                     });
  }
  return rows;
}

std::string TypeText(uint8_t types) {
  std::string out;
  const auto add = [&](UseType type, char letter) {
    if ((types & static_cast<uint8_t>(type)) == 0) return;
    if (!out.empty()) out += '+';
    out += letter;
  };
  add(UseType::kCompute, 'C');
  add(UseType::kGraphics, 'G');
  add(UseType::kMps, 'M');
  return out;
}

}  // namespace

std::string SinceText(WallTime now, double start_seconds) {
  constexpr double kDay = 86400;
  const std::string full = FormatLocal({static_cast<int64_t>(std::llround(start_seconds * 1e9))});
  const bool recent = now.seconds() - start_seconds < kDay;
  return recent ? full.substr(11, 5) : full.substr(5, 11);
}

namespace {

// The program without its folders: "/opt/venv/bin/python3 train.py" -> "python3 train.py".
std::string_view WithoutFolders(std::string_view line) {
  const size_t slash = line.substr(0, line.find(' ')).rfind('/');
  return slash == std::string_view::npos ? line : line.substr(slash + 1);
}

}  // namespace

std::string CommandText(const Style& style, const ProcessSample& process) {
  if (!process.translated) return style.Say(text::kOutside);
  std::string out;
  if (process.zombie) {
    out = style.Say(text::kZombie);
    // Of one that was never seen alive there is no more to tell.
    if (!process.command && !process.command_line) return out;
    out += ' ';
  }
  if (process.command_line && !process.command_line->empty()) {
    out += Printable(WithoutFolders(*process.command_line));
  } else if (process.command) {
    out += Printable(*process.command);
  } else {
    out += Describe(process.command.missing(), style.language);
  }
  const double workers = process.fields[ProcessField::kLoaderWorkers].value_or(0);
  if (workers > 0)
    out += "  " + SayCount(style.language, text::kWorkers, static_cast<int64_t>(workers));
  return out;
}

std::string ProcessTable(const Style& style, const Frame& frame, std::span<const size_t> devices,
                         Footnotes& notes) {
  const std::vector<UseRow> rows = UsesOf(frame, devices);
  if (rows.empty()) return {};
  const auto any = [&](const auto& predicate) {
    return std::any_of(rows.begin(), rows.end(), predicate);
  };
  // Columns that would be the same in every row are left out.
  const bool containers =
      any([](const UseRow& r) { return !r.process->container.value_or("").empty(); });
  const bool types = any([](const UseRow& r) {
    return r.use->types != static_cast<uint8_t>(UseType::kCompute) && r.use->types != 0;
  });
  std::vector<Column> columns = {{style.Say(text::kColumnGpu), true},
                                 {style.Say(text::kColumnPid), true},
                                 {style.Say(text::kColumnUser), false, 12, 2}};
  if (containers) columns.push_back({style.Say(text::kColumnContainer), false, 20, 4});
  if (types) columns.push_back({style.Say(text::kColumnType), false, 0, 6});
  columns.push_back({style.Say(text::kColumnSince), false, 0, 5});
  columns.push_back({style.Say(text::kColumnMemory), true});
  columns.push_back({style.Say(text::kColumnSm), true, 0, 1});
  columns.push_back({style.Say(text::kColumnCpu), true, 0, 3});
  columns.push_back({style.Say(text::kColumnCommand)});
  Table table(columns);
  for (const UseRow& row : rows) {
    const ProcessSample& p = *row.process;
    const auto figure = [&](const Known<double>& value, const Text& title,
                            const auto& make) -> Cell {
      if (value) return {make(*value)};
      // The reason of a process outside this container is in its row already.
      if (!p.translated && value.missing().why == Absence::kOutsideNamespace)
        return {"-", Tone::kDim};
      return {notes.Missed(style, style.Say(text::kOfProcesses, style.Say(title)), value.missing()),
              Tone::kDim};
    };
    const auto words = [&](const Known<std::string>& value) -> Cell {
      if (value) return {Printable(*value)};
      return {"-", Tone::kDim};
    };
    std::vector<Cell> cells = {{DeviceLabel(frame, row.device)},
                               {fmt::format("{}", p.pid), p.translated ? Tone::kPlain : Tone::kDim},
                               words(p.user)};
    if (containers) cells.push_back(words(p.container));
    if (types) cells.push_back({TypeText(row.use->types)});
    cells.push_back(figure(p.start_time, text::kColumnSince,
                           [&](double start) { return SinceText(frame.time, start); }));
    cells.push_back(figure(row.use->fields[UseField::kMemory], text::kColumnMemory, FormatBytes));
    cells.push_back(figure(row.use->fields[UseField::kSm], text::kColumnSm,
                           [](double ratio) { return FormatRatio(ratio); }));
    cells.push_back(figure(p.fields[ProcessField::kCpu], text::kColumnCpu,
                           [](double cores) { return FormatRatio(cores); }));
    cells.push_back({CommandText(style, p), p.zombie ? Tone::kNote : Tone::kPlain});
    table.Add(std::move(cells));
  }
  return table.Render(style, 2);
}

}  // namespace gpusight::exporting
