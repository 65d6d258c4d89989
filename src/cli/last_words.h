// SPDX-License-Identifier: Apache-2.0
// What is said when the machine refuses memory or a thread: one sentence and exit code 1 instead of
// std::terminate. Nothing can be freed or retried, since whatever was half done is lost.
// Next: main.cc.
#pragma once

#include "base/language.h"

namespace gpusight::cli {

// From here on a failed `new` ends the program with that sentence.
void PrepareLastWords();

// The language of the sentence; English until it is known.
void SpeakLastWordsIn(Language language);

// Writes it and ends the program, without running destructors.
[[noreturn]] void SayLastWords() noexcept;

}  // namespace gpusight::cli
