// SPDX-License-Identifier: Apache-2.0
#include "cli/run_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "model/text/run.h"

namespace gpusight::cli {
namespace {

constexpr const char* kJaxShare = "XLA_PYTHON_CLIENT_MEM_FRACTION";
constexpr const char* kJaxShareNew = "XLA_CLIENT_MEM_FRACTION";
constexpr const char* kOurs = "GPUSIGHT_MEMORY_BUDGET";

// Rounded down, so that the share is never more than the budget.
std::string Share(double bytes, double total) {
  return fmt::format("{:.4f}", std::min(1.0, std::floor(bytes / total * 1e4) / 1e4));
}

std::string List(const Variables& variables) {
  std::string out;
  for (const auto& [name, value] : variables) {
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", name, Printable(value));
  }
  return out;
}

}  // namespace

Budget PlanBudget(uint64_t bytes, std::optional<double> total, bool python,
                  const Environment& env) {
  Budget budget;
  const auto put = [&](const char* name, std::string value) {
    // Set but empty is the user's word as well.
    if (const char* own = env(name)) {
      budget.kept.emplace_back(name, own);
    } else {
      budget.set.emplace_back(name, std::move(value));
    }
  };
  const uint64_t mib = std::max<uint64_t>(1, bytes >> 20);
  const auto size = static_cast<double>(bytes);

  // Paddle: the limit holds whatever the strategy. The chunks are naive_best_fit's, which would
  // take nearly the whole device at once and so fail at the limit; the share is for the versions
  // and builds that take it before the chunks.
  put("FLAGS_gpu_memory_limit_mb", std::to_string(mib));
  put("FLAGS_allocator_strategy", "auto_growth");
  put("FLAGS_initial_gpu_memory_in_mb", std::to_string(std::max<uint64_t>(1, mib / 2)));
  put("FLAGS_reallocate_gpu_memory_in_mb", std::to_string(std::max<uint64_t>(1, mib / 8)));
  if (total) put("FLAGS_fraction_of_gpu_memory_to_use", Share(size, *total));

  // PyTorch has no variable that all versions know, and refuses those that it does not know.
  const char* conf = nullptr;
  for (const char* name : {"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"}) {
    const char* value = env(name);
    if (value != nullptr &&
        std::string_view(value).find("per_process_memory_fraction") != std::string_view::npos) {
      conf = name;
    }
  }
  if (conf != nullptr) {
    budget.kept.emplace_back(conf, env(conf));
  } else if (python) {
    put(kOurs, std::to_string(bytes));
  } else {
    budget.no_python = true;
  }

  // JAX refuses both names at once; the old one is understood by all versions.
  if (env(kJaxShareNew) != nullptr) {
    budget.kept.emplace_back(kJaxShareNew, env(kJaxShareNew));
  } else if (total) {
    put(kJaxShare, Share(size, *total));
  } else if (env(kJaxShare) != nullptr) {
    budget.kept.emplace_back(kJaxShare, env(kJaxShare));
  } else {
    budget.no_total = true;
  }
  put("XLA_PYTHON_CLIENT_PREALLOCATE", "false");
  put("TF_FORCE_GPU_ALLOW_GROWTH", "true");
  return budget;
}

std::vector<std::string> Describe(const Budget& budget, uint64_t bytes, Language language) {
  std::vector<std::string> out;
  const std::string size = FormatBytes(static_cast<double>(bytes));
  if (!budget.set.empty()) out.push_back(Say(language, text::kBudgetSet, size, List(budget.set)));
  if (!budget.kept.empty()) out.push_back(Say(language, text::kBudgetKept, List(budget.kept)));
  if (budget.no_python) out.push_back(Say(language, text::kBudgetNoPython));
  if (budget.no_total) out.push_back(Say(language, text::kBudgetNoTotal));
  return out;
}

}  // namespace gpusight::cli
