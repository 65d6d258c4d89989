// SPDX-License-Identifier: Apache-2.0
// A verdict in sentences, in both languages, with numbers that add up as they are printed: for the
// page of `explain`, the post-mortem and the report. Next: oom_advice.h.
#pragma once

#include <string>
#include <vector>

#include "base/language.h"
#include "memory/oom_verdict.h"

namespace gpusight::memory {

// "1.96 GiB", "22.00 MiB", "512 bytes": two decimals, as the frameworks print them.
[[nodiscard]] std::string SizeText(double bytes);

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

// The account as it is printed: two decimals of one unit, rounded so that they add up.
struct AccountTable {
  struct Row {
    std::string label, number;
  };
  std::string unit;  // "GiB"
  std::vector<Row> parts;
  Row total;
  std::vector<Row> request;  // asked for, missing, limit; empty when not known
};
// No parts when there is no account.
[[nodiscard]] AccountTable TableOf(const OomFacts& facts, const OomVerdict& verdict,
                                   Language language);

}  // namespace gpusight::memory
