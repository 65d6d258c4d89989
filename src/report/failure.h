// SPDX-License-Identifier: Apache-2.0
// The post-mortem of a run: what ended it, why memory ran out, how it went in the minute before and
// where the program was. Made of the facts of its end and of the last frames, whether they come
// from a recording or are still in memory. Its words are in both languages. Pure but for what reads
// a recording. Next: post_mortem.h for want of memory, failure_text.h for the screen.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/exit_facts.h"
#include "record/reader.h"
#include "record/run_end.h"
#include "report/course.h"
#include "report/post_mortem.h"

namespace gpusight::report {

struct Failure {
  ExitFacts exit;
  record::EndCause cause = record::EndCause::kNone;
  bool failed = false;                   // false: it may have run out of memory and gone on
  bool asked = false;                    // somebody had told it to end: nothing went wrong
  Said title;                            // in a few words; empty where `how` says it all
  Said how;                              // some sentences
  std::vector<PostMortem> post_mortems;  // the one that matters most first
  std::vector<PostMortem::Try> advice;   // beside theirs
  Course course;
  std::vector<PlaceShare> places;  // in the last minute

  // Whether there is more to tell than an exit code.
  [[nodiscard]] bool worth_telling() const;
};

// `frames`: the last ones, oldest first. `output`: the end of what it printed.
[[nodiscard]] Failure ExplainFailure(ExitFacts exit, std::span<const Frame> frames,
                                     std::string_view output);

// A frame without what a post-mortem has no use for, to be kept.
[[nodiscard]] Frame Slim(const Frame& frame);

// Of a recording; the end is its own.
[[nodiscard]] Failure ReadFailure(const record::Recording& recording);
// `exit`: what is known of the end beside it.
[[nodiscard]] Failure ReadFailure(const record::Recording& recording, ExitFacts exit);

// Why memory ran out, by the allocators' observers: of each process the first few, those that ended
// it before those after which it went on.
[[nodiscard]] std::vector<PostMortem> ReadPostMortems(const record::Recording& recording,
                                                      const ExitFacts& exit);

}  // namespace gpusight::report
