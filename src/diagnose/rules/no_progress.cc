// SPDX-License-Identifier: Apache-2.0
// E4: the program lives, holds memory and makes no step any more: it waits in a collective or for
// its loader, has ended its work, or never used the device.
#include "diagnose/rules/rules.h"

#include <algorithm>

#include "diagnose/statistics.h"

namespace gpusight::diagnose {

std::optional<Finding> NoProgress(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kMainCpu})) return {};
  const Window& w = view.window();
  const double idle = view.Idle(), cpu = view.Now(Signal::kMainCpu),
               held = view.Or0(Signal::kMemoryOwn);
  if (!w.subject.has_page || std::isnan(w.last_step)) {
    // Without steps only a device that has been idle all the time says something.
    if (w.subject.has_page || !(view.Lately(Signal::kIdle) >= 0.995) || !(held >= 256e6)) return {};
    if (!view.Is(w.seconds(), Limit::kIdleHolder)) return {};
    Finding finding = view.Make(1, 0.7, {Fact("held_idle", {Bytes(held), Seconds(w.seconds())})});
    finding.form = "idle";
    finding.proposal = static_cast<double>(w.subject.pid);
    return finding;
  }
  const double median = w.StepMedian(), silent = w.now() - w.last_step;
  if (!view.Is(silent / std::max(w.scale(), 0.25), Limit::kNoStep) ||
      !view.Is(silent / std::max(median, 1e-3), Limit::kNoStepMedians))
    return {};
  for (const Signal busy : {Signal::kStackCompile, Signal::kStackCheckpoint,
                            Signal::kStackEvaluation, Signal::kStackData}) {
    if (view.Now(busy) >= 0.3) return {};
  }
  if (view.Now(Signal::kWriteRate) >= 50e6) return {};
  Finding finding = view.Make(1, 0.8, {Fact("no_step", {Seconds(silent), Seconds(median)})});
  const double power = view.Now(Signal::kPower), limit = view.Now(Signal::kPowerLimit);
  if (view.Now(Signal::kStackCollective) >= 0.5 ||
      (idle <= 0.05 && power <= 0.45 * limit && view.Or0(Signal::kSmActive) <= 0.5)) {
    finding.form = "collective";
    finding.confidence = 0.85;
    finding.evidence.push_back(
        Fact("no_step_power", {Ratio(1 - idle), Figure(Unit::kWatts, power)}));
  } else if (idle >= 0.95 && cpu <= 0.15 &&
             (view.Now(Signal::kStackWorkerWait) >= 0.5 ||
              (view.Now(Signal::kWorkers) >= 1 && view.Now(Signal::kWorkerCpu) <= 0.05))) {
    finding.form = "loader";
    finding.evidence.push_back(Fact("all_asleep"));
    finding.evidence.push_back(Fact("gpu_idle", {Ratio(idle)}));
  } else if (idle >= 0.95 && cpu <= 0.15) {
    finding.form = "finished";
    finding.evidence.push_back(Fact("held_idle", {Bytes(held), Seconds(silent)}));
  } else {
    finding.confidence = 0.65;
    finding.evidence.push_back(Fact("gpu_idle", {Ratio(idle)}));
    finding.evidence.push_back(Fact("main_cpu", {Cores(cpu)}));
  }
  finding.level = FindingLevel::kCritical;
  finding.proposal = static_cast<double>(w.subject.pid);
  if (!view.features().top_place.empty()) finding.place = view.features().top_place;
  return finding;
}

}  // namespace gpusight::diagnose
