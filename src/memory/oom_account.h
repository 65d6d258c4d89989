// SPDX-License-Identifier: Apache-2.0
// The account of a verdict as it is printed: numbers that add up although each is rounded, in the
// table and in the sentences about it. Next: oom_words.h.
#pragma once

#include <string>
#include <vector>

#include "base/language.h"
#include "memory/oom_verdict.h"

namespace gpusight::memory {

// "1.96 GiB", "22.00 MiB", "512 bytes": two decimals, as the frameworks print them.
[[nodiscard]] std::string SizeText(double bytes);

// A part as the table prints it, so that a sentence has the same digits.
[[nodiscard]] std::string Printed(const OomAccount& account, OomPart part);

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
