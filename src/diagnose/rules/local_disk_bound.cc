// SPDX-License-Identifier: Apache-2.0
// A6: the loader waits for the disk, and what it reads does come from there.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> LocalDiskBound(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kReadRate, Signal::kReadCallRate, Signal::kIoPressure}) ||
      !view.Starved())
    return {};
  const double read = view.Now(Signal::kReadRate), asked = view.Now(Signal::kReadCallRate);
  if (!(read >= 1e6) || !view.Is(read / std::max(asked, 1.0), Limit::kFromStorage)) return {};
  const bool blocked =
      view.Is(Signal::kWorkerBlocked, Limit::kDiskBlocked) || view.Now(Signal::kMainBlocked) >= 0.3;
  const bool pressure = view.Is(Signal::kIoPressure, Limit::kIoPressure);
  if (!(blocked || pressure)) return {};
  const bool workers = view.Now(Signal::kWorkers) >= 0.5;
  if (!view.Is(workers ? view.Now(Signal::kWorkerCpu) : view.Now(Signal::kMainCpu),
               Limit::kWorkerAsleep))
    return {};
  std::vector<Evidence> evidence = {
      Fact("gpu_idle", {Ratio(view.Idle())}),
      Fact("read_rate", {Speed(read), Ratio(std::min(1.0, read / std::max(asked, 1.0)))})};
  if (blocked && workers)
    evidence.push_back(Fact("disk_wait", {Ratio(view.Now(Signal::kWorkerBlocked))}));
  evidence.push_back(Fact("io_pressure", {Ratio(view.Now(Signal::kIoPressure))}));
  return view.Make(view.Idle(), 0.75 + 0.1 * (blocked && pressure), std::move(evidence));
}

}  // namespace gpusight::diagnose
