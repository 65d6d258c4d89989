// SPDX-License-Identifier: Apache-2.0
#include "tui/io_rates.h"

namespace gpusight::tui {
namespace {

Known<double> Rate(const Known<double>& before, const Known<double>& now, double seconds) {
  if (!now) return now;
  if (!before) return before;
  if (!(seconds > 0) || *now < *before) return Absence::kNotSampledYet;
  return (*now - *before) / seconds;
}

}  // namespace

void IoRates::Add(const Frame& frame) {
  for (const ProcessSample& process : frame.processes) {
    Entry& entry = entries_[KeyOf(process)];
    const auto& read = process.fields[ProcessField::kReadBytes];
    const auto& written = process.fields[ProcessField::kWrittenBytes];
    entry.read_rate = Rate(entry.read, read, frame.interval_seconds);
    entry.written_rate = Rate(entry.written, written, frame.interval_seconds);
    entry.read = read;
    entry.written = written;
    entry.sequence = frame.sequence;
  }
  std::erase_if(entries_, [&](const auto& pair) { return pair.second.sequence != frame.sequence; });
}

Known<double> IoRates::Read(const ProcessSample& process) const {
  const auto found = entries_.find(KeyOf(process));
  return found == entries_.end() ? Known<double>() : found->second.read_rate;
}

Known<double> IoRates::Written(const ProcessSample& process) const {
  const auto found = entries_.find(KeyOf(process));
  return found == entries_.end() ? Known<double>() : found->second.written_rate;
}

}  // namespace gpusight::tui
