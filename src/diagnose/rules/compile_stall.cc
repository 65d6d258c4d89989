// SPDX-License-Identifier: Apache-2.0
// C4: the job stands still while code is compiled: compilers ran, or stacks lay in one.
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> CompileStall(View& view) {
  double lost = 0, late = 0;
  size_t count = 0;
  for (const Stall& stall : view.window().stalls) {
    if (stall.kind != StallKind::kCompile) continue;
    lost += stall.seconds;
    ++count;
    if (stall.step > 50) ++late;
  }
  const double share = lost / std::max(view.Observed(), 1.0);
  const bool often = late >= 3 || (count >= 1 && view.Is(share, Limit::kCompileShare));
  const bool now =
      view.Is(Signal::kStackCompile, Limit::kCompileStack) && view.Idle() >= 0.3 && view.WarmedUp();
  if (!often && !now) {
    (void)view.Needs({Signal::kCompilers});
    return {};
  }
  std::vector<Evidence> evidence;
  if (often)
    evidence.push_back(Fact("compile_stalls", {Count(static_cast<double>(count)), Seconds(lost)}));
  if (late >= 1) evidence.push_back(Fact("recompiles", {Count(late)}));
  if (!view.window().compiler.empty())
    evidence.push_back(Fact("compilers", {Figure(view.window().compiler)}));
  if (now)
    evidence.push_back(Fact("stack_share", {Ratio(view.Now(Signal::kStackCompile)),
                                            Figure(std::string("torch.compile"))}));
  return view.Make(now ? std::max(share, view.Idle()) : share, 0.9, std::move(evidence));
}

}  // namespace gpusight::diagnose
