// SPDX-License-Identifier: Apache-2.0
#include "report/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "model/text/report_page.h"

namespace gpusight::report {

using text::PageWord;

std::string DeviceName(const DeviceReport& device) {
  const DeviceInfo& info = device.info;
  if (info.gpu_instance < 0) return fmt::format("GPU {}", info.index);
  return fmt::format("GPU {}/{}/{}", info.index, info.gpu_instance, info.compute_instance);
}

std::string ProcessName(const Report& report, int process) {
  const auto at = static_cast<size_t>(process);
  if (process < 0 || at >= report.processes.size()) return {};
  const ProcessSample& identity = report.processes[at].identity;
  std::string name = identity.command ? Printable(*identity.command) + " " : "";
  return name + std::to_string(identity.pid);
}

std::string EndText(const record::RunEnd& end, Language language) {
  if (end.kind.empty()) return Say(language, PageWord("end_cut"));
  if (end.kind == "exit" && end.code) return Say(language, PageWord("end_exit"), *end.code);
  if (end.kind == "signal" && end.signal) {
    return Say(language, PageWord("end_signal"), *end.signal);
  }
  std::string text = WordFor(end.kind, language);
  if (end.kind == "exit") return text;
  if (end.code) text += " · " + Say(language, PageWord("end_exit"), *end.code);
  if (end.signal) text += " · " + Say(language, PageWord("end_signal"), *end.signal);
  return text;
}

std::string WordFor(std::string_view name, Language language) {
  if (const Text* word = text::DataWord(name)) return Say(language, *word);
  std::string plain = Printable(name);
  std::replace(plain.begin(), plain.end(), '_', ' ');
  return plain;
}

std::string ShowSeconds(double seconds) {
  if (seconds >= 60) return FormatDuration(seconds);
  if (seconds >= 10) return fmt::format("{:.1f} s", seconds);
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 0.1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds >= 1e-3) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.0f} µs", seconds * 1e6);
}

std::string ShowEnergy(double joules) {
  const double watt_hours = joules / 3600;
  if (std::fabs(watt_hours) >= 1000) return fmt::format("{:.2f} kWh", watt_hours / 1000);
  if (std::fabs(watt_hours) >= 1) return fmt::format("{:.1f} Wh", watt_hours);
  return fmt::format("{:.0f} J", joules);
}

std::string Show(Unit unit, const Known<double>& value, Language language) {
  if (!value) return Describe(value.missing(), language);
  if (unit == Unit::kSeconds) return ShowSeconds(*value);
  if (unit == Unit::kJoules) return ShowEnergy(*value);
  return FormatValue(unit, *value);
}

std::string IdleSentence(const Report& report, const IdleEntry& entry, Language language) {
  const IdleReport& idle = entry.report;
  const std::string name = DeviceName(report.devices[static_cast<size_t>(entry.device)]);
  const std::string share = FormatRatio(idle.idle_share());
  std::string out;
  if (idle.seconds > 0) out = Say(language, PageWord("idle_share"), name, share);
  const auto but = [&](const Text& why) {
    if (!out.empty() && language == Language::kEnglish) out += ' ';
    return out + Say(language, why);
  };
  using Why = IdleReport::Why;
  switch (idle.why) {
    case Why::kNoSamples:
      return but(PageWord("idle_no_samples"));
    case Why::kNoStacks:
      return but(PageWord("idle_no_stacks"));
    case Why::kUnsteadyClock:
      return but(PageWord("idle_unsteady_clock"));
    case Why::kNeverMet:
      return but(PageWord("idle_never_met"));
    case Why::kKnown:
      break;
  }
  std::string places;
  int count = 0;
  for (const PlaceTime& place : Places(idle)) {
    if (place.idle <= 0 || ++count > 3) break;
    if (!places.empty()) places += PageWord("list_comma").In(language);
    places += Say(language, PageWord("idle_place"), Printable(place.place),
                  FormatRatio(place.idle / idle.explained_seconds));
  }
  if (places.empty()) return out;
  return Say(language, PageWord("idle_sentence"), name, share, places);
}

}  // namespace gpusight::report
