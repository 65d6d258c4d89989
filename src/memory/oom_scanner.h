// SPDX-License-Identifier: Apache-2.0
// Finds every out-of-memory message in a log of any size, fed in pieces of any size. It holds a few
// lines of each writer and a bounded number of messages, whatever the log: colours, progress bars,
// labels of ranks, interleaved and endless lines, binary. The forms are in *_forms.cc.
// Next: oom_verdict.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "memory/form.h"
#include "memory/keywords.h"
#include "memory/line.h"
#include "memory/oom_keeper.h"
#include "memory/oom_text.h"
#include "memory/progress.h"

namespace gpusight::memory {

struct OomScan {
  std::vector<OomText> texts;        // each failure once, by where it begins
  std::vector<OomSetting> settings;  // memory settings that the log mentions
  uint64_t lines = 0, bytes = 0;
  uint64_t left_out = 0;  // different messages that were found but not kept
};

class OomScanner {
 public:
  OomScanner() = default;
  OomScanner(const OomScanner&) = delete;
  OomScanner& operator=(const OomScanner&) = delete;

  void Feed(std::string_view bytes);
  // Everything found; the scanner is spent.
  [[nodiscard]] OomScan Finish();

  uint64_t bytes() const { return bytes_; }
  // Messages so far, repetitions not counted.
  uint64_t found() const { return keeper_.found(); }

  static constexpr size_t kLongestLine = size_t{64} << 10;  // longer ones are read in pieces

 private:
  // What one writer said last.
  struct Stream {
    std::vector<TraceLine> trace;
    uint64_t trace_line = 0;
    std::string progress;  // the last line that looked like it
    // A message that may go on in the next lines.
    const Form* open = nullptr;
    std::string text, before;
    uint64_t open_line = 0;
    int lines_left = 0;
    // Messages of which it is not known whether the program went on, and where it was.
    std::vector<std::pair<OomKeeper::Ref, Progress>> undecided;
    OomKeeper::Ref last;
  };
  struct Found {
    OomText text;
    FormResult result = FormResult::kNo;
    size_t used = 0;
  };

  void Segment(std::string_view part);
  void Append(std::string_view part);
  void FlushPending();
  void Line(std::string_view raw, size_t known);
  void Forms(Stream& stream, const Label& label, size_t known);
  size_t Continue(Stream& stream, const Label& label);
  void Close(Stream& stream, const Label& label);
  Found Read(const Stream& stream, const Form& form, std::string_view text, std::string_view before,
             int lines = 1) const;
  void Note(Stream& stream);
  void NoteSetting(size_t begin, size_t end);
  void Record(Stream& stream, const Label& label, OomText text, std::string_view before,
              std::string_view words, uint64_t line);
  void WentOn(Stream& stream, const Progress& progress);
  Stream& StreamOf(const Label& label);
  static int LinesOf(const Stream& stream);
  static bool IsRecent(const Stream& stream, uint64_t line);

  std::string pending_;
  size_t known_ = 0;  // bytes at the front of pending_ that were read already
  std::string clean_, line_;
  std::vector<Keywords::Hit> hits_;
  std::unordered_map<uint64_t, Stream> streams_;
  size_t open_ = 0;  // streams with an open message
  OomKeeper keeper_;
  uint64_t lines_ = 0, bytes_ = 0;
  std::vector<OomSetting> settings_;
};

}  // namespace gpusight::memory
