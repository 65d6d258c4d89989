// SPDX-License-Identifier: Apache-2.0
// The end of a run as the recording has it: the kind in a word, and one sentence that says what
// the facts show: who sent the signal, that the kernel killed for want of memory, that /dev/shm was
// full. What is only possible is not said. Pure. Next: ../model/exit_facts.h.
#pragma once

#include "model/exit_facts.h"
#include "record/run_facts.h"

namespace gpusight::cli {

[[nodiscard]] record::RunEnd EndOf(const ExitFacts& facts);

}  // namespace gpusight::cli
