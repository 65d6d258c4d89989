// SPDX-License-Identifier: Apache-2.0
#include "cli/last_words.h"

#include <unistd.h>

#include <atomic>
#include <new>

#include "cli/exit_code.h"
#include "model/text/system.h"

namespace gpusight::cli {
namespace {

// A handler of operator new can reach nothing but globals. One piece, which needs no memory.
std::atomic<Language> g_language{Language::kEnglish};

}  // namespace

void PrepareLastWords() { std::set_new_handler(SayLastWords); }

void SpeakLastWordsIn(Language language) { g_language = language; }

void SayLastWords() noexcept {
  const std::string_view words = text::kNoMemory.In(g_language);
  (void)!write(STDERR_FILENO, words.data(), words.size());
  _exit(static_cast<int>(ExitCode::kFailed));
}

}  // namespace gpusight::cli
