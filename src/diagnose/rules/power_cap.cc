// SPDX-License-Identifier: Apache-2.0
// G1: the power cap holds the clock down. At the default limit that is what a busy card does; below
// it somebody lowered the limit; far below it the card is ill.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> PowerCap(View& view) {
  if (!view.Needs({Signal::kPowerCap, Signal::kSmClock, Signal::kSmClockMax, Signal::kPower,
                   Signal::kPowerLimit}))
    return {};
  const double clock = view.Now(Signal::kSmClock), most = view.Now(Signal::kSmClockMax),
               power = view.Now(Signal::kPower), limit = view.Now(Signal::kPowerLimit);
  if (!view.Is(Signal::kPowerCap, Limit::kCapShare) || !view.Is(clock / most, Limit::kCapClock) ||
      !(view.Or0(Signal::kIdle) <= 0.5))
    return {};
  std::vector<Evidence> evidence = {
      Fact("clock_of_max", {Figure(Unit::kHertz, clock), Figure(Unit::kHertz, most)}),
      Fact("power_cap_share", {Ratio(view.Now(Signal::kPowerCap))}),
      Fact("power_of_limit", {Figure(Unit::kWatts, power), Figure(Unit::kWatts, limit)})};
  const double normal = view.Now(Signal::kPowerLimitDefault);
  if (limit < 0.99 * normal) {
    evidence.push_back(
        Fact("power_limit_lowered", {Figure(Unit::kWatts, limit), Figure(Unit::kWatts, normal)}));
    Finding finding = view.Make(1 - clock / most, 0.9, std::move(evidence));
    finding.form = "lowered";
    finding.proposal = normal;
    return finding;
  }
  if (power / limit <= view.At(Limit::kCapHardware) && view.Or0(Signal::kIdle) <= 0.1) {
    evidence.push_back(
        Fact("power_cap_low_power", {Figure(Unit::kWatts, power), Figure(Unit::kWatts, limit)}));
    Finding finding = view.Make(1 - clock / most, 0.85, std::move(evidence));
    finding.form = "hardware";
    return finding;
  }
  evidence.push_back(Fact("power_cap_normal"));
  Finding finding = view.Make(0, 0.9, std::move(evidence));
  finding.form = "normal";
  finding.level = FindingLevel::kInfo;
  return finding;
}

}  // namespace gpusight::diagnose
