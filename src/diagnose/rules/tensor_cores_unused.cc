// SPDX-License-Identifier: Apache-2.0
// D1: the multiprocessors are busy with matrix-like work on the FP32 pipe, and tensor cores rest.
#include "diagnose/rules/rules.h"

namespace gpusight::diagnose {

std::optional<Finding> TensorCoresUnused(View& view) {
  if (!view.Needs({Signal::kSmActive, Signal::kTensor, Signal::kFp32, Signal::kDram}) ||
      !view.WarmedUp())
    return {};
  const bool fp64 = view.Now(Signal::kFp64) >= 0.1;
  if (!view.Is(Signal::kSmActive, Limit::kTensorSm) ||
      !view.Is(Signal::kTensor, Limit::kTensorUnused) ||
      !(view.Is(Signal::kFp32, Limit::kTensorFp32) || fp64) ||
      !view.Is(Signal::kDram, Limit::kTensorDram)) {
    return {};
  }
  std::vector<Evidence> evidence = {Fact("sm_active", {Ratio(view.Now(Signal::kSmActive))}),
                                    Fact("tensor_active", {Ratio(view.Now(Signal::kTensor))}),
                                    Fact("fp32_active", {Ratio(view.Now(Signal::kFp32))})};
  if (fp64) evidence.push_back(Fact("fp64_active", {Ratio(view.Now(Signal::kFp64))}));
  return view.Make(0.5 * view.Now(Signal::kSmActive), 0.85, std::move(evidence));
}

}  // namespace gpusight::diagnose
