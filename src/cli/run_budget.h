// SPDX-License-Identifier: Apache-2.0
// --memory-budget: what each framework is told, before it starts, about how much device memory it
// may take. What the user set stays. Pure. docs/run.md explains each variable; the doctor's
// memory_flags_*.cc know them all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/run_variables.h"

namespace gpusight::cli {

struct Budget {
  Variables set;           // what the job gets
  Variables kept;          // what the user has set, and stays
  bool no_total = false;   // nobody told how large a device is, and JAX is told a share
  bool no_python = false;  // PyTorch is limited from within, and our package is not used
};

// `total`: bytes of the largest device; `python`: our package runs in the job.
[[nodiscard]] Budget PlanBudget(uint64_t bytes, std::optional<double> total, bool python,
                                const Environment& env);

// In words, one sentence each.
[[nodiscard]] std::vector<std::string> Describe(const Budget& budget, uint64_t bytes,
                                                Language language);

}  // namespace gpusight::cli
