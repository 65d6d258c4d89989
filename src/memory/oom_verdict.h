// SPDX-License-Identifier: Apache-2.0
// Why memory ran out: the class of a failure, how sure that is, and what is missing to be surer.
// Each rule compares numbers of the facts; where they are missing it abstains and says so.
// Pure. Next: oom_words.h, which puts it into sentences; oom_advice.h, what to try.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "memory/oom_facts.h"

namespace gpusight::memory {

enum class OomClass : uint8_t {
  kUnknown,
  kTooBig,         // the request is more than could ever be free
  kFull,           // this job's own tensors fill the device
  kFragmentation,  // enough is free, but in pieces
  kLeak,           // what is held grew from step to step
  kNeighbour,      // other processes hold what is missing
  kEvaluation,     // evaluation keeps what only training needs
  kOutside,        // it is missing outside the framework's allocator
  kLimit,          // a limit that the user set
  kHostMemory,     // the host's memory, or its control group's
  kSharedMemory,   // /dev/shm
};
// "too_big", …: the word in JSON.
[[nodiscard]] std::string_view Name(OomClass cause);

// What else there is to say.
enum class OomNote : uint8_t {
  kSegment,       // the request is a segment; the tensor is smaller
  kAbsurd,        // nobody can have meant so much
  kLargeShare,    // one allocation is more than half of the device
  kOwnGuessed,    // this process was told from the others by its size
  kOverfull,      // the parts are more than the device: memory was moved to the host
  kFreeEnough,    // more was free than was asked for
  kPrivatePools,  // much is kept for CUDA graphs
  kFirstStep,     // before a single step was done
  kLateStep,      // after many steps
  kEvaluating,    // in evaluation, with gradients on as far as the log shows
  kSmallPieces,   // fragmentation is there, but little
  kUnlistedMuch,  // much is held by processes that nobody lists
  kHintKilled,    // the words blame /dev/shm, but the kernel killed for want of memory
};
[[nodiscard]] std::string_view Name(OomNote note);

// What could not be looked at.
enum class OomGap : uint8_t {
  kNumbers,    // the text has no numbers
  kFree,       // it does not say what was free
  kCapacity,   // nor how much there is
  kProcesses,  // nor who holds what: context, libraries and other processes look alike
  kAllocator,  // nor what of the used is this process's
  kHistory,    // how it went before
  kKiller,     // who killed
  kHost,       // how much memory the host had
};
[[nodiscard]] std::string_view Name(OomGap gap);

struct OomVerdict {
  OomClass cause = OomClass::kUnknown;
  double confidence = 0;       // 0 for kUnknown; above 0.6 it is a cause, above 0.4 a possible one
  std::vector<OomClass> also;  // that would have been enough, too
  std::vector<OomNote> notes;
  std::vector<OomGap> gaps;
  OomAccount account;

  [[nodiscard]] bool Has(OomNote note) const;
};
inline constexpr double kSureEnough = 0.6;

[[nodiscard]] OomVerdict Judge(const OomFacts& facts);

}  // namespace gpusight::memory
