// SPDX-License-Identifier: Apache-2.0
// Tells findings in either language, and names evidence so that the compiler knows its sentences.
// Keys and rules may come from a recording of another version: an unknown one is told as it is.
// Pure. Next: text/diagnose.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/language.h"
#include "model/finding.h"
#include "model/text/diagnose.h"

namespace gpusight {

// A key that has a sentence.
struct FactKey {
  std::string_view name;
  consteval FactKey(const char* key) : name(key) {  // NOLINT: a key is its name
    if (text::FindFact(key) == std::size(text::kFacts)) throw "no sentence has this key";
  }
};
[[nodiscard]] Evidence Fact(FactKey key, std::vector<Figure> figures = {});

// "GPU idle 62%". Not Printable() where a figure is a word from outside.
[[nodiscard]] std::string Tell(const Evidence& evidence, Language language);

// "the loader waits for the disk"; for an unknown rule its name.
[[nodiscard]] std::string_view RuleTitle(std::string_view rule, Language language);

// "the loader waits for the disk: GPU idle 58%, I/O pressure 31%": the headline with the first
// `most` lines of evidence.
[[nodiscard]] std::string Tell(const Finding& finding, Language language, size_t most = 2);

// What to do about it.
struct Fix {
  Framework framework = Framework::kOther;  // whose words; kOther: the same in all
  std::string what;                         // a sentence
  std::string code;                         // Python, or a shell command
};
// In the words of the frameworks in `used`; where that is empty or `all`, of all of them.
[[nodiscard]] std::vector<Fix> FixesFor(const Finding& finding, std::span<const Framework> used,
                                        bool all, Language language);

}  // namespace gpusight
