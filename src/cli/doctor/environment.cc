// SPDX-License-Identifier: Apache-2.0
// Checks of environment variables: memory settings that are known, unknown or misspelt, and those
// that contradict each other. Values of unknown variables are never shown: they may be secrets.
#include <algorithm>

#include "cli/doctor/check.h"
#include "cli/doctor/flag_values.h"
#include "cli/doctor/meant_value.h"
#include "cli/doctor/memory_flags.h"
#include "model/text/doctor_environment.h"

namespace gpusight::doctor {
namespace {

void SayUnknown(const std::string& name, Report& report) {
  const std::string id = "memory_flag." + name;
  const auto meant = MeantFlag(name);
  const bool paddle = name.starts_with("FLAGS_");
  if (meant) {
    if (paddle) {
      report.Problem(id, text::kFlagUnknown, name, "Paddle");
    } else {
      report.Problem(id, text::kFlagMisspelt, name);
    }
    report.Remedy(text::kFlagMeant, *meant);
  } else if (paddle && !KnownToPaddle(name)) {
    report.Note(id, text::kFlagUnfamiliar, name).Remedy(text::kFlagUnsetRemedy, ShellWord(name));
  }
}

// The strategy that Paddle uses here.
std::string_view Strategy(const Facts& facts) {
  return facts.subject.Variable("FLAGS_allocator_strategy").value_or("auto_growth");
}

void SayContradictions(const Facts& facts, Report& report) {
  const auto general = facts.subject.Variable("PYTORCH_ALLOC_CONF");
  const auto cuda = facts.subject.Variable("PYTORCH_CUDA_ALLOC_CONF");
  if (general && cuda && *general != *cuda) {
    report.Problem("memory_flag.PYTORCH_ALLOC_CONF", text::kFlagTwoNames)
        .Remedy(text::kFlagUnsetRemedy, "PYTORCH_CUDA_ALLOC_CONF");
  }
  const auto jax = facts.subject.Variable("XLA_CLIENT_MEM_FRACTION");
  const auto old_jax = facts.subject.Variable("XLA_PYTHON_CLIENT_MEM_FRACTION");
  if (jax && !jax->empty() && old_jax && !old_jax->empty()) {
    report.Problem("memory_flag.XLA_CLIENT_MEM_FRACTION", text::kFlagJaxTwoNames)
        .Remedy(text::kFlagUnsetRemedy, "XLA_PYTHON_CLIENT_MEM_FRACTION");
  }
}

}  // namespace

void CheckMemoryFlags(const Facts& facts, Report& report) {
  if (!facts.subject.environment_known) {
    report.Note("memory_flag", text::kFlagsUnreadable, facts.subject.pid)
        .Remedy(text::kFlagsUnreadableRemedy, facts.subject.pid);
    return;
  }
  const size_t before = report.lines().size();
  for (const auto& [name, value] : facts.subject.environment) {
    const MemoryFlag* flag = FindFlag(name);
    if (flag == nullptr) {
      SayUnknown(name, report);
    } else if (!flag->strategy.empty() && flag->strategy != Strategy(facts)) {
      report.Note("memory_flag." + name, text::kFlagNoEffect, name, value, Strategy(facts))
          .Remedy(text::kFlagNoEffectRemedy, name, flag->strategy);
    } else if (flag->rule != ValueRule::kDevices) {
      SayFlag(*flag, value, report);
    }
  }
  SayContradictions(facts, report);
  if (report.lines().size() == before) report.Ok("memory_flag", text::kFlagsNone);
}

}  // namespace gpusight::doctor
