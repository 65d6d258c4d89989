// SPDX-License-Identifier: Apache-2.0
#include "tui/column_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "base/units.h"
#include "model/text/top.h"
#include "tui/format.h"

namespace gpusight::tui {
namespace {

const Glyphs& GlyphsOf(const State& state) { return GlyphsFor(state.settings.ascii); }

// Sum over the shown devices; missing when a part is.
Known<double> Sum(const State& state, const ProcessSample& process, UseField field) {
  Known<double> sum;
  for (const GpuUse& use : process.uses) {
    if (!Shows(state, static_cast<size_t>(use.device))) continue;
    const Known<double>& value = use.fields[field];
    if (!value) return value;
    sum = sum.value_or(0) + *value;
  }
  return sum;
}

// The greatest over the shown devices.
Known<double> Most(const State& state, const ProcessSample& process, UseField field) {
  Known<double> most;
  for (const GpuUse& use : process.uses) {
    if (!Shows(state, static_cast<size_t>(use.device))) continue;
    const Known<double>& value = use.fields[field];
    if (value) {
      most = std::max(most.value_or(0), *value);
    } else if (!most) {
      most = value;
    }
  }
  return most;
}

Known<double> MemoryShare(const State& state, const ProcessSample& process) {
  const Known<double> sum = Sum(state, process, UseField::kMemory);
  if (!sum) return sum;
  double total = 0;
  for (const GpuUse& use : process.uses) {
    const auto device = static_cast<size_t>(use.device);
    if (Shows(state, device)) {
      total += state.frame.devices[device][DeviceField::kMemoryTotal].value_or(0);
    }
  }
  return total > 0 ? Known<double>(*sum / total) : Absence::kNotSupported;
}

std::string Devices(const State& state, const ProcessSample& process) {
  std::vector<std::string> labels;
  std::vector<int> numbers;
  for (const GpuUse& use : process.uses) {
    if (static_cast<size_t>(use.device) >= state.frame.devices.size()) continue;
    labels.push_back(DeviceLabel(state.frame, static_cast<size_t>(use.device)));
    numbers.push_back(ParseNumber<int>(labels.back()).value_or(-9));
  }
  // "0-7" rather than "0,1,2,3,4,5,6,7".
  bool row = labels.size() > 2;
  for (size_t i = 1; i < numbers.size(); ++i) row = row && numbers[i] == numbers[i - 1] + 1;
  if (row) return fmt::format("{}-{}", labels.front(), labels.back());
  return fmt::format("{}", fmt::join(labels, ","));
}

std::string Types(const ProcessSample& process) {
  int bits = 0;
  for (const GpuUse& use : process.uses) bits |= use.types;
  std::string out;
  if (bits & static_cast<int>(UseType::kCompute)) out += 'C';
  if (bits & static_cast<int>(UseType::kGraphics)) out += 'G';
  if (bits & static_cast<int>(UseType::kMps)) out += 'M';
  return out;
}

// Numeric columns.
Known<double> Number(const State& state, const ProcessSample& process, Column column) {
  switch (column) {
    case Column::kMemory:
      return Sum(state, process, UseField::kMemory);
    case Column::kMemoryShare:
      return MemoryShare(state, process);
    case Column::kSm:
      return Most(state, process, UseField::kSm);
    case Column::kMemoryActivity:
      return Most(state, process, UseField::kMemoryActivity);
    case Column::kEncoder:
      return Most(state, process, UseField::kEncoder);
    case Column::kDecoder:
      return Most(state, process, UseField::kDecoder);
    case Column::kCpu:
      return process.fields[ProcessField::kCpu];
    case Column::kHostMemory:
      return process.fields[ProcessField::kResident];
    case Column::kThreads:
      return process.fields[ProcessField::kThreads];
    case Column::kWorkers:
      return process.fields[ProcessField::kLoaderWorkers];
    case Column::kRead:
      return state.io.Read(process);
    case Column::kWritten:
      return state.io.Written(process);
    case Column::kAge:
      return AgeOf(state, process);
    default:
      return static_cast<double>(process.pid);
  }
}

// Without the folder of the program, so that what tells jobs apart stands in sight: "python3
// train.py". Titles that programs give themselves ("ray::Train/actor") stay as they are.
std::string_view WithoutFolder(std::string_view command) {
  if (!command.starts_with('/') && !command.starts_with('.')) return command;
  const std::string_view program = command.substr(0, command.find(' '));
  const size_t slash = program.rfind('/');
  if (slash == std::string_view::npos || slash + 1 == program.size()) return command;
  return command.substr(slash + 1);
}

std::string CommandOf(const State& state, const ProcessSample& process) {
  const Language language = state.settings.language;
  const std::string_view missing = GlyphsOf(state).missing;
  if (!process.translated) return fmt::format("{} {}", missing, Say(language, text::kTopOutside));
  if (process.zombie) {
    std::string name = process.command ? Printable(*process.command) + ' ' : std::string();
    return fmt::format("{}({})", name, Say(language, text::kTopZombie));
  }
  if (process.command_line && !process.command_line->empty()) {
    return Printable(WithoutFolder(*process.command_line));
  }
  if (process.command) return Printable(*process.command);
  return ShowText(process.command_line, language, GlyphsOf(state));
}

std::string Word(const State& state, const ProcessSample& process, Column column) {
  const std::string_view missing = GlyphsOf(state).missing;
  const auto shown = [&](const Known<std::string>& value) {
    return value ? Printable(*value) : std::string(missing);
  };
  switch (column) {
    case Column::kUser:
      return shown(process.user);
    case Column::kDevice:
      return Devices(state, process);
    case Column::kType:
      return Types(process);
    case Column::kContainer:
      return shown(process.container);
    case Column::kRole:
      return process.role == ProcessRole::kOther
                 ? ""
                 : Say(state.settings.language, RoleName(process.role));
    case Column::kJob:
      return Printable(process.slurm_job);
    case Column::kCommand:
      return CommandOf(state, process);
    default:
      return {};
  }
}

bool IsWord(Column column) {
  switch (column) {
    case Column::kUser:
    case Column::kDevice:
    case Column::kType:
    case Column::kContainer:
    case Column::kRole:
    case Column::kJob:
    case Column::kCommand:
      return true;
    default:
      return false;
  }
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

SortKey SortKeyOf(const State& state, const ProcessSample& process, Column column) {
  if (IsWord(column)) {
    std::string word = Word(state, process, column);
    const bool known = !word.empty() && !word.starts_with(GlyphsOf(state).missing);
    return {known, 0, std::move(word)};
  }
  const Known<double> number = Number(state, process, column);
  return {number.known(), number.value_or(0), {}};
}

std::string CellOf(const State& state, const ProcessSample& process, Column column) {
  if (IsWord(column)) return Word(state, process, column);
  // A relative that uses no GPU has nothing to miss in the GPU's columns.
  const bool gpu = column == Column::kMemory || column == Column::kMemoryShare ||
                   column == Column::kSm || column == Column::kMemoryActivity ||
                   column == Column::kEncoder || column == Column::kDecoder;
  if (gpu && process.uses.empty()) return {};
  const Known<double> number = Number(state, process, column);
  if (!number) return std::string(GlyphsOf(state).missing);
  switch (column) {
    case Column::kPid:
    case Column::kThreads:
    case Column::kWorkers:
      return fmt::format("{:.0f}", *number);
    case Column::kMemory:
    case Column::kHostMemory:
      return FormatBytes(*number);
    case Column::kRead:
    case Column::kWritten:
      return FormatRate(*number);
    case Column::kAge:
      return FormatDuration(*number);
    default:
      return FormatRatio(*number);  // also CPU: 100% is one core
  }
}

std::string SearchText(const State& state, const ProcessSample& process) {
  std::string text = std::to_string(process.pid);
  for (const Known<std::string>* part :
       {&process.user, &process.command, &process.command_line, &process.container}) {
    if (*part) text += ' ' + **part;
  }
  text += ' ' + process.slurm_job;
  for (const GpuUse& use : process.uses) {
    if (static_cast<size_t>(use.device) < state.frame.devices.size()) {
      text += " gpu" + DeviceLabel(state.frame, static_cast<size_t>(use.device));
    }
  }
  return Lower(text);
}

bool Matches(const std::string& search_text, std::string_view pattern) {
  const std::string wanted = Lower(pattern);
  std::string_view rest = wanted;
  while (const auto word = NextWord(rest)) {
    if (search_text.find(*word) == std::string::npos) return false;
  }
  return true;
}

}  // namespace gpusight::tui
