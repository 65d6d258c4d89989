// SPDX-License-Identifier: Apache-2.0
// The end of a run as the recording has it: the kind in a word, and what the facts show: who sent
// the signal, that the kernel killed for want of memory, that /dev/shm was full, that the device
// had no memory left or failed. What is only possible is not said. The facts can be had back, so
// that a reader tells the same in its own language. Pure. Next: ../model/exit_facts.h.
#pragma once

#include <string>
#include <string_view>

#include "base/language.h"
#include "model/exit_facts.h"
#include "record/run_facts.h"

namespace gpusight::record {

enum class EndCause : uint8_t {
  kNone,          // nothing but the exit code or the signal
  kHostMemory,    // the kernel killed for want of memory
  kSharedMemory,  // /dev/shm was full
  kOutOfMemory,   // a device had no memory left
  kXid,           // the driver reported an error
  kCudaError,     // a call to CUDA failed
};
[[nodiscard]] EndCause CauseOf(const ExitFacts& facts);

// "exit", "signal", "oom_killed", …: the word in the recording.
[[nodiscard]] std::string_view KindOf(const ExitFacts& facts);

// Whether it did not end as a job does that did what it should.
[[nodiscard]] bool HasFailed(const ExitFacts& facts);

// The signal that ended it, also where a shell in between made an exit code of it; 0: none.
[[nodiscard]] int SignalOf(const ExitFacts& facts);

// Some sentences.
[[nodiscard]] std::string EndText(const ExitFacts& facts, Language language);

[[nodiscard]] RunEnd EndOf(const ExitFacts& facts);
// What the recording of any version has of them; the rest is not known.
[[nodiscard]] ExitFacts FactsOf(const RunEnd& end);

// The message of the first CUDA error in a text ("an illegal memory access was encountered"); empty
// when there is none, or only one for want of memory.
[[nodiscard]] std::string_view CudaErrorIn(std::string_view text);

// What ended a Python program: type and message behind its last traceback; empty without one.
[[nodiscard]] std::string_view ExceptionIn(std::string_view output);

}  // namespace gpusight::record
