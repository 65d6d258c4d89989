// SPDX-License-Identifier: Apache-2.0
// E3: minutes pass until the first step.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> SlowStart(View& view) {
  const Window& w = view.window();
  if (!w.subject.has_page || std::isnan(w.began)) return {};
  const double until = std::isnan(w.first_step) ? w.now() : w.first_step;
  const double seconds = until - w.began;
  if (!view.Is(seconds, Limit::kSlowStart)) return {};
  // It matters as long as it is a good part of the run.
  const double share = seconds / std::max(w.now() - w.began, seconds);
  if (share < 0.05) return {};
  Finding finding = view.Make(
      share, 0.9, {Fact("first_step", {Seconds(seconds)}), Fact("share_of_run", {Ratio(share)})});
  finding.level = view.Is(seconds, Limit::kSlowStartCritical) ? FindingLevel::kCritical
                                                              : FindingLevel::kWarning;
  return finding;
}

}  // namespace gpusight::diagnose
