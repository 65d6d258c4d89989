// SPDX-License-Identifier: Apache-2.0
// F4: the host memory of the process and its loaders rises steadily and does not slow down.
#include "diagnose/rules/rules.h"

#include <algorithm>
#include <set>

#include "diagnose/statistics.h"

namespace gpusight::diagnose {

std::optional<Finding> HostLeak(View& view) {
  if (!view.Needs({Signal::kHostMemory}) || !view.WarmedUp()) return {};
  const Window& w = view.window();
  std::vector<Sample> samples;
  std::vector<double> values, workers;
  const double after = std::isnan(w.first_step) ? 0 : w.first_step + 10 * w.scale();
  double set = kNotKnown;
  for (const Tick& tick : w.ticks()) {
    // New loader processes bring their memory with them.
    if (tick[Signal::kWorkers] != set || tick[Signal::kWorkersReplaced] > 0) {
      set = tick[Signal::kWorkers];
      samples.clear();
      values.clear();
      workers.clear();
    }
    if (tick.time < after || std::isnan(tick[Signal::kHostMemory])) continue;
    samples.push_back({tick.time, tick[Signal::kHostMemory]});
    values.push_back(tick[Signal::kHostMemory]);
    workers.push_back(tick[Signal::kWorkerPrivate]);
  }
  if (samples.size() < 7 || samples.back().x - samples.front().x < 60 * w.scale()) return {};
  // Slopes cost; what has hardly grown needs none.
  if (!(values.back() - values.front() >=
        0.25 * view.At(Limit::kHostLeakLeast) * std::clamp(4 * w.scale(), 0.25, 1.0)))
    return {};
  // Of a number that is asked for seldom several answers are needed.
  if (std::set<double>(values.begin(), values.end()).size() < 4) return {};
  const double slope = TheilSen(samples).value_or(0);
  const double grown = slope * (samples.back().x - samples.front().x);
  if (!view.Is(slope, Limit::kHostLeakRate) ||
      !view.Is(grown / std::clamp(4 * w.scale(), 0.25, 1.0), Limit::kHostLeakLeast) ||
      !(MannKendall(values) > 2.33))
    return {};
  const std::span<const Sample> both(samples);
  const double first = TheilSen(both.first(samples.size() / 2)).value_or(0);
  const double second = TheilSen(both.subspan(samples.size() / 2)).value_or(0);
  if (!(second >= 0.4 * first)) return {};
  std::vector<Evidence> evidence = {
      Fact("host_growth", {Bytes(values.front()), Bytes(values.back()), Bytes(60 * slope)})};
  const bool by_workers =
      view.Now(Signal::kWorkers) >= 1 &&
      workers.back() - workers.front() >= 0.7 * (values.back() - values.front());
  if (by_workers) evidence.push_back(Fact("host_growth_workers"));
  const double limit = view.Last(Signal::kHostLimit), left = (limit - values.back()) / slope;
  if (left > 0 && left < 30 * 86400)
    evidence.push_back(Fact("host_limit_in", {Bytes(limit), Seconds(left)}));
  Finding finding = view.Make(left < 1800 ? 0.9 : 0.8, 0.85, std::move(evidence));
  if (left > 0) finding.seconds_left = left;
  finding.form = by_workers ? "copy_on_access" : "";
  return finding;
}

}  // namespace gpusight::diagnose
