// SPDX-License-Identifier: Apache-2.0
// What a recording says about the run as a whole: what was started, how, and how it ended.
// `run` and `watch` fill it; report, compare and the screens read it. Next: writer.h.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/language.h"
#include "model/finding.h"

namespace gpusight::record {

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Known when recording begins.
struct RunFacts {
  std::string name;  // --name, else the program's
  std::vector<std::string> arguments;
  std::string folder;    // where it was started
  int pid = 0;           // of the job's first process; 0 when not known
  bool watched = false;  // it ran already when recording began
  WallTime start;        // of the recording
  std::string gpusight;  // our own version
  Pairs tags;            // --tag
  Pairs environment;     // without secrets: use KeepHarmless() of secrets.h
  Pairs versions;        // "torch" "2.4.1", …; more may follow by Writer::AddVersion()
  std::string git_commit;
  std::optional<bool> git_changed;  // the working tree differs from it; nullopt: not known
};

// How the job ended. Without one the recording was cut: recorder and job died together.
struct RunEnd {
  WallTime time;
  std::string kind;           // "exit", "signal", "oom_killed", …: a word, see docs/recording.md
  std::optional<int> code;    // exit code
  std::optional<int> signal;  // that ended it
  std::string text;           // one English sentence for people
  Pairs facts;                // what was counted: "peak_resident_bytes" "1048576", …
};

// A diagnosed cause, as it was last known, and its headline as the gpusight that wrote it told it,
// for who opens the file with other programs and for readers that do not know its rule.
struct FindingRow {
  Finding finding;
  std::string english, chinese;  // the latter is empty in recordings before version 2
};
// In that language; by our own sentences where we have them.
[[nodiscard]] std::string Headline(const FindingRow& row, Language language);
// When it ended, or was seen last.
[[nodiscard]] inline WallTime EndOf(const Finding& finding) {
  return finding.is_open() ? finding.updated : finding.closed;
}

// A piece of what the job printed.
enum class Stream : unsigned char { kOut = 1, kError = 2 };
struct OutputPiece {
  WallTime time;
  Stream stream = Stream::kOut;
  std::string bytes;  // as they came; Printable() before they reach a terminal
};

}  // namespace gpusight::record
