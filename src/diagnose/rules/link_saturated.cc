// SPDX-License-Identifier: Apache-2.0
// B2: the link carries nearly what it can, and the device waits.
#include "diagnose/rules/link.h"
#include "diagnose/rules/rules.h"

#include <algorithm>

namespace gpusight::diagnose {

std::optional<Finding> LinkSaturated(View& view) {
  if (!view.Needs({Signal::kIdle, Signal::kSmActive, Signal::kPcieReceive, Signal::kPcieTransmit,
                   Signal::kLinkGenerationMax, Signal::kLinkWidthMax}) ||
      !view.WarmedUp()) {
    return {};
  }
  const double peak = LinkPeak(view), in = view.Now(Signal::kPcieReceive),
               out = view.Now(Signal::kPcieTransmit);
  const double most = std::max(in, out), sm = view.Now(Signal::kSmActive);
  // While it copies the driver may call the device busy: that few multiprocessors work tells it,
  // too.
  if (!view.Starved() && !view.Is(sm, Limit::kLinkSm)) return {};
  const bool full = view.Is(most / peak, Limit::kLinkFull);
  const bool in_idle =
      most / std::max(view.Idle(), 0.05) >= 0.75 * peak && most >= 0.2 * peak && view.Starved();
  if (!full && !in_idle) return {};
  std::vector<Evidence> evidence = {Fact("gpu_idle", {Ratio(view.Idle())}),
                                    Fact("sm_active", {Ratio(sm)})};
  if (in >= out)
    evidence.insert(evidence.begin(),
                    Fact("h2d_mean", {Speed(in), Ratio(std::min(1.0, in / peak))}));
  if (in < out)
    evidence.insert(evidence.begin(),
                    Fact("d2h_mean", {Speed(out), Ratio(std::min(1.0, out / peak))}));
  return view.Make(std::max(view.Idle(), 0.8 * (1 - sm)), 0.9, std::move(evidence));
}

}  // namespace gpusight::diagnose
