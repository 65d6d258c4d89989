// SPDX-License-Identifier: Apache-2.0
// What a recording says about the run as a whole: what was started, how, and how it ended.
// `run` and `watch` fill it; report, compare and the screens read it. Next: writer.h.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"

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

// A diagnosed cause, as far as a recording must know it.
struct FindingRow {
  WallTime begin, end;
  std::string rule;         // its name
  double severity = 0;      // share of wall time lost
  double confidence = 0;    // 0-1
  std::string device_uuid;  // empty: none in particular
  int pid = 0;              // 0: none in particular
  std::string text;         // one English sentence
  std::string evidence;     // JSON: the numbers behind it
};

// A piece of what the job printed.
enum class Stream : unsigned char { kOut = 1, kError = 2 };
struct OutputPiece {
  WallTime time;
  Stream stream = Stream::kOut;
  std::string bytes;  // as they came; Printable() before they reach a terminal
};

}  // namespace gpusight::record
