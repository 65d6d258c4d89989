// SPDX-License-Identifier: Apache-2.0
// A verdict in sentences, in both languages: for the page of `explain`, the post-mortem and the
// report. Next: oom_account.h for its numbers as a table, oom_advice.h.
#pragma once

#include <string>
#include <vector>

#include "base/language.h"
#include "memory/oom_account.h"
#include "memory/oom_verdict.h"

namespace gpusight::memory {

// "GPU 0", "NPU 5"; "the device" when its number is not known.
[[nodiscard]] std::string DeviceText(const OomFacts& facts, Language language);

// "Fragmentation", …
[[nodiscard]] const Text& TitleOf(OomClass cause);

// What happened: what was asked for, and why it could not be had.
[[nodiscard]] std::string SentenceOf(const OomFacts& facts, const OomVerdict& verdict,
                                     Language language);

// What else there is to say, one sentence each.
[[nodiscard]] std::vector<std::string> RemarksOf(const OomFacts& facts, const OomVerdict& verdict,
                                                 Language language);

// What could not be looked at, without a full stop.
[[nodiscard]] std::vector<std::string> GapsOf(const OomVerdict& verdict, Language language);

}  // namespace gpusight::memory
