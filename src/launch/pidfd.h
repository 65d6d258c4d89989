// SPDX-License-Identifier: Apache-2.0
// A process as a descriptor: it means that process for ever, becomes readable when it has ended,
// and (Linux 6.15 and later) then tells how, also to who is not its parent.
#pragma once

#include <sys/types.h>

#include <optional>

#include "base/fd.h"

namespace gpusight::launch {

// Invalid on a kernel before 5.3, and when there is no such process.
[[nodiscard]] UniqueFd OpenPidfd(pid_t pid);

// As wait(2) has it. Known once its parent has waited for it; nullopt before, and on older kernels.
[[nodiscard]] std::optional<int> StatusOf(const UniqueFd& pidfd);

}  // namespace gpusight::launch
