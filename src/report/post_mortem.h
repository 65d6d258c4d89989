// SPDX-License-Identifier: Apache-2.0
// What became of a run that ran out of memory: the request, where the memory was, the class of the
// failure and what to try first, from what the allocator's observer recorded and the frames before
// it, or else from what the program printed. memory/ judges; here its words are put together, in
// both languages, since the page switches. Pure. Next: model.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/language.h"
#include "memory/oom_facts.h"
#include "model/exit_facts.h"
#include "model/frame.h"

namespace gpusight::report {

// A text in both languages.
struct Said {
  std::string english, chinese;
};
// Of a text without places.
[[nodiscard]] inline Said Both(const Text& text) {
  return {std::string(text.english), std::string(text.chinese)};
}

struct PostMortem {
  int pid = 0;  // 0: not known whose
  uint64_t start_ticks = 0;
  int process = -1;        // the same, as a position in the report's list; -1: not known
  WallTime time;           // 0: not known when
  bool observed = false;   // by the allocator's observer; false: read from the output
  bool caught = false;     // the program went on
  std::string_view cause;  // "fragmentation", …: the words of `explain --json`
  double confidence = 0;
  Said title, sentence;
  std::vector<Said> remarks;
  std::vector<Said> gaps;  // what could not be looked at

  // The account: parts that add up to the total, and the request beside it. In `unit`.
  struct Row {
    Said label;
    std::string number;
    bool total = false;
  };
  std::string unit;
  std::vector<Row> account, request;

  struct Try {
    std::string framework;  // "PyTorch"; "" for nobody's
    Said what;
    std::string code;
  };
  std::vector<Try> advice;
  std::vector<std::string> stack;  // innermost frame first
};

// `before`: frames up to the failure, oldest first; the last should have the process in it.
[[nodiscard]] PostMortem Explain(const OutOfMemory& failure, int pid,
                                 std::span<const Frame> before);

// The kernel killed for want of memory, or /dev/shm was full, as the facts of the end show.
[[nodiscard]] PostMortem ExplainHost(const ExitFacts& exit, bool shared, Framework framework);

// From the end of the output; the first cause first. Empty when it holds no such message.
// `kernel_killed`: whether the kernel killed for want of memory, where its counters tell. What only
// says that something was killed is passed over when it did not.
[[nodiscard]] std::vector<PostMortem> ExplainOutput(std::string_view output,
                                                    std::optional<bool> kernel_killed = {});

}  // namespace gpusight::report
