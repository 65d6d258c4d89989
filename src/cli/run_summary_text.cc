// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "base/text.h"
#include "base/units.h"
#include "cli/run_summary.h"
#include "export/wrap.h"
#include "model/driver.h"
#include "model/text/cli.h"
#include "model/text/run.h"

namespace gpusight::cli {
namespace {

struct Part {
  const Text& text;  // with a place for the number
  const Text& label;
  const Known<double>& value;
  Unit unit;
};

// "87%, SM activity 62%; idle: not supported"
std::string Join(std::initializer_list<Part> parts, Language language) {
  std::string known;
  std::string unknown;
  Missing why;
  const std::string_view comma = text::kRunComma.In(language);
  for (const Part& part : parts) {
    if (part.value) {
      if (!known.empty()) known += comma;
      known += Say(language, part.text, FormatValue(part.unit, *part.value));
      continue;
    }
    if (unknown.empty()) why = part.value.missing();
    if (!unknown.empty()) unknown += comma;
    unknown += Say(language, part.label);
  }
  if (unknown.empty()) return known;
  unknown = Say(language, text::kRunUnknown, unknown, Describe(why, language));
  return known.empty() ? unknown : known + std::string(text::kClauseEnd.In(language)) + unknown;
}

std::string EndText(const ExitFacts& exit, Language language) {
  switch (exit.kind) {
    case EndKind::kExited:
      return Say(language, text::kRunExited, exit.code);
    case EndKind::kSignal: {
      std::string out = Say(language, text::kRunKilled, SignalName(exit.signal));
      if (exit.core_dumped) out += Say(language, text::kRunCore);
      return out;
    }
    case EndKind::kRunning:
      return Say(language, text::kRunStillRuns);
    case EndKind::kUnknown:
      break;
  }
  return Say(language, text::kRunEndUnknown);
}

// Three digits: steps are compared.
std::string StepTime(double seconds) {
  if (seconds >= 60) return FormatDuration(seconds);
  if (seconds >= 1) return fmt::format("{:.2f}s", seconds);
  if (seconds >= 0.1) return fmt::format("{:.0f}ms", seconds * 1e3);
  return fmt::format("{:.1f}ms", seconds * 1e3);
}

std::string StepsText(const RunSummary::Numbers& numbers, Language language) {
  if (!numbers.told) return Say(language, text::kRunNotTold);
  if (!numbers.steps || *numbers.steps == 0) return Say(language, text::kRunNoSteps);
  std::string out = fmt::format("{:.0f}", *numbers.steps);
  if (numbers.step_median) {
    out += Say(language, text::kRunStepTime, StepTime(*numbers.step_median));
  }
  if (numbers.data_wait_share) {
    out += Say(language, text::kRunDataWait, FormatRatio(*numbers.data_wait_share, 1));
  }
  return out;
}

std::string NoDevices(const RunSummary& summary, Language language) {
  if (summary.driver().state != DriverState::kOk) return Describe(summary.driver(), language);
  return Say(language, text::kRunNoDevice);
}

}  // namespace

std::string SummaryText(const RunSummary& summary, const Closing& closing, int columns,
                        Language language) {
  const RunSummary::Numbers numbers = summary.numbers();
  std::vector<std::pair<const Text*, std::string>> rows;
  rows.emplace_back(&text::kRunRowSteps, StepsText(numbers, language));
  if (numbers.devices == 0) {
    rows.emplace_back(&text::kRunRowUtilization, NoDevices(summary, language));
  } else {
    std::string busy =
        Join({{text::kRunPlain, text::kRunRowUtilization, numbers.utilization, Unit::kRatio},
              {text::kRunSm, text::kRunSmLabel, numbers.sm_activity, Unit::kRatio},
              {text::kRunIdle, text::kRunIdleLabel, numbers.idle_share, Unit::kRatio}},
             language);
    if (numbers.whole_machine) {
      busy += SayCount(language, text::kRunWholeMachine, numbers.devices);
    } else if (numbers.devices > 1) {
      busy += Say(language, text::kRunDevices, numbers.devices);
    }
    rows.emplace_back(&text::kRunRowUtilization, std::move(busy));
    const Part process{text::kRunProcess, text::kRunProcessLabel, numbers.process, Unit::kBytes};
    const Part device{text::kRunDevice, text::kRunDeviceLabel, numbers.device, Unit::kBytes};
    std::string memory;
    if (numbers.told) {
      memory =
          Join({{text::kRunAllocated, text::kRunAllocatedLabel, numbers.allocated, Unit::kBytes},
                {text::kRunReserved, text::kRunReservedLabel, numbers.reserved, Unit::kBytes},
                process,
                device},
               language);
    } else {
      memory = Join({process, device}, language) + Say(language, text::kRunNoAllocator);
    }
    rows.emplace_back(&text::kRunRowMemory, std::move(memory));
    std::string energy;
    if (numbers.energy) {
      energy = Say(language, text::kRunEnergy, fmt::format("{:.1f}", *numbers.energy / 1000),
                   fmt::format("{:.1f}", *numbers.energy / 3600));
      if (numbers.mean_power) {
        energy += Say(language, text::kRunPower, FormatValue(Unit::kWatts, *numbers.mean_power));
      }
    } else {
      energy = Describe(numbers.energy.missing(), language);
    }
    rows.emplace_back(&text::kRunRowEnergy, std::move(energy));
  }
  if (closing.findings) {
    rows.emplace_back(&text::kRunRowFindings, fmt::format("{:.0f}", *closing.findings));
  }
  if (closing.exit.left_behind > 0) {
    rows.emplace_back(&text::kRunRowLeft,
                      SayCount(language, text::kRunLeftBehind, closing.exit.left_behind));
  }
  std::string file =
      closing.file.empty() ? Say(language, text::kRunNoFile) : Printable(closing.file);
  if (closing.file_bytes) file += fmt::format(" ({})", FormatBytes(*closing.file_bytes));
  rows.emplace_back(&text::kRunRowFile, std::move(file));

  std::string out = Say(language, text::kErrorPrefix) +
                    Say(language, text::kRunTitle, Printable(closing.name),
                        FormatDuration(closing.exit.seconds), EndText(closing.exit, language)) +
                    "\n";
  int width = 0;
  for (const auto& row : rows) width = std::max(width, DisplayWidth(row.first->In(language)));
  const int indent = width + 4;
  for (const auto& [label, value] : rows) {
    out += "  " + Pad(label->In(language), width + 2);
    // The name of the file is not broken: it is to be pasted.
    out += (label == &text::kRunRowFile ? value : exporting::Wrap(value, columns, indent)) + "\n";
  }
  return out;
}

}  // namespace gpusight::cli
