// SPDX-License-Identifier: Apache-2.0
// G2: the card cuts its clock for heat, or its hardware does.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> Slowdown(View& view) {
  if (!view.Needs({Signal::kSlowdown, Signal::kSmClock, Signal::kSmClockMax})) return {};
  const double share = view.Lately(Signal::kSlowdown), clock = view.Now(Signal::kSmClock),
               most = view.Now(Signal::kSmClockMax);
  if (!view.Is(share, Limit::kSlowdownShare) || !(view.Or0(Signal::kIdle) <= 0.9)) return {};
  std::vector<Evidence> evidence = {
      Fact("slowdown_share", {Ratio(share)}),
      Fact("clock_of_max", {Figure(Unit::kHertz, clock), Figure(Unit::kHertz, most)})};
  if (!std::isnan(view.Now(Signal::kTemperatureSlowdown))) {
    evidence.push_back(Fact("temperature_of_slowdown",
                            {Figure(Unit::kCelsius, view.Now(Signal::kTemperature)),
                             Figure(Unit::kCelsius, view.Now(Signal::kTemperatureSlowdown))}));
  }
  return view.Make(std::max(share * 0.5, 1 - clock / most), 0.95, std::move(evidence));
}

}  // namespace gpusight::diagnose
