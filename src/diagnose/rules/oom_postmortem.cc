// SPDX-License-Identifier: Apache-2.0
// F3 after: an allocation failed; memory/oom_verdict.h judges it, here its account is told.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> OomPostmortem(View& view) {
  const std::optional<Failure>& failure = view.window().failure;
  if (!failure) return {};
  const double cached = std::max(0.0, failure->reserved - failure->allocated);
  Finding finding =
      view.Make(1, std::max(0.6, failure->verdict.confidence),
                {Fact("wanted", {Bytes(failure->requested), Bytes(failure->free), Bytes(cached),
                                 Bytes(failure->others)}),
                 Fact("oom_class", {Figure(std::string(memory::Name(failure->verdict.cause)))})});
  finding.form = memory::Name(failure->verdict.cause);
  finding.level = FindingLevel::kCritical;
  return finding;
}

}  // namespace gpusight::diagnose
