// SPDX-License-Identifier: Apache-2.0
// Processes of our own beside the job: forked from ours, without what the job's world would notice
// (an open pipe keeps its reader waiting), and bound to a channel to the launcher. Next: witness.h.
#pragma once

#include <sys/types.h>

#include <functional>
#include <vector>

#include "base/fd.h"

namespace gpusight::launch {

struct OwnProcess {
  pid_t pid = -1;
  UniqueFd channel;  // a SOCK_SEQPACKET to it; ends when it does
};

enum class Where {
  kSameGroup,   // a signal for our process group reaches it
  kOwnSession,  // neither that nor the terminal does
};

// Forks. The child has /dev/null as standard descriptors, every signal blocked that can be, `keep`
// and its end of the channel, no other descriptor; it runs `body`, and ends with what that returns.
// The pid is -1 when it cannot be had (errno says why).
[[nodiscard]] OwnProcess StartOwn(Where where, const char* name, std::vector<int> keep,
                                  const std::function<int(int channel)>& body);

// Closes all descriptors from 3 on but these.
void CloseAllBut(std::vector<int> keep);

// Makes the first `count` of them /dev/null.
void ReleaseStandardDescriptors(int count = 3);

}  // namespace gpusight::launch
