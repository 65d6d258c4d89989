// SPDX-License-Identifier: Apache-2.0
// D2: the memory's bandwidth is what limits. Not a fault: most programs are so.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> BoundBy(View& view) {
  if (!view.Needs({Signal::kDram, Signal::kTensor}) || !view.WarmedUp()) return {};
  if (!view.Is(Signal::kDram, Limit::kDramBound) ||
      !(view.Now(Signal::kTensor) < view.At(Limit::kComputeTensor)))
    return {};
  Finding finding = view.Make(0, 0.9,
                              {Fact("dram_active", {Ratio(view.Now(Signal::kDram))}),
                               Fact("tensor_active", {Ratio(view.Now(Signal::kTensor))})});
  finding.level = FindingLevel::kInfo;
  return finding;
}

}  // namespace gpusight::diagnose
