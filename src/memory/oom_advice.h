// SPDX-License-Identifier: Apache-2.0
// What to try first, as commands and code that can be pasted: a table of (cause, framework, reason,
// code). Only settings and calls that exist: cli/explain_flags_test.cc compares the variables with
// the doctor's table, tests/frameworks the calls with the frameworks themselves. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/language.h"
#include "memory/oom_verdict.h"

namespace gpusight::memory {

struct Advice {
  Framework framework = Framework::kOther;  // whose words; kOther: nobody's
  std::string what;                         // one sentence
  std::string code;                         // a shell command, or Python
};

// For this failure: what fits the program's framework first, then the same for the other of PyTorch
// and Paddle. `settings`: what the log sets already and is not proposed again.
[[nodiscard]] std::vector<Advice> AdviceFor(const OomFacts& facts, const OomVerdict& verdict,
                                            std::span<const OomSetting> settings,
                                            Language language);

// Every code of the table, for tests.
[[nodiscard]] std::vector<std::string_view> AllAdviceCode();

}  // namespace gpusight::memory
