// SPDX-License-Identifier: Apache-2.0
// G3: under load the clock stays low, and no reason of power or heat is given.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> PinnedLow(View& view) {
  if (!view.Needs({Signal::kSmClock, Signal::kSmClockMax, Signal::kPowerCap, Signal::kSlowdown,
                   Signal::kIdle}))
    return {};
  const double clock = view.Most(Signal::kSmClock), most = view.Now(Signal::kSmClockMax);
  if (!(view.Idle() <= 0.5) || !view.Is(clock / most, Limit::kPinnedClock)) return {};
  if (!(view.Now(Signal::kPowerCap) <= 0.05) || !(view.Now(Signal::kSlowdown) <= 0.02)) return {};
  return view.Make(1 - clock / most, 0.9,
                   {Fact("clock_of_max", {Figure(Unit::kHertz, clock), Figure(Unit::kHertz, most)}),
                    Fact("no_clock_reason")});
}

}  // namespace gpusight::diagnose
