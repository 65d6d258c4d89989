// SPDX-License-Identifier: Apache-2.0
// The end of what a job prints, without standing in its way. Where standard output or error is a
// file, the job writes it as ever and the end is read back from the file. A terminal or a pipe
// cannot be read so, and a relay in between could change what the job sees, so it is only used when
// asked for (relay.h). docs/run.md has the table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"

namespace gpusight::launch {

enum class StreamKind { kClosed, kTerminal, kFile, kPipe, kSocket, kNull, kOther };

// What that descriptor is.
[[nodiscard]] StreamKind KindOf(int fd);

struct TailSource {
  UniqueFd file;       // open for reading; the offset of the job's own descriptor stays as it is
  uint64_t begin = 0;  // where the job's output begins in it
  int stream = 1;      // 1 or 2
};

// Those of standard output and error that are files which can be read; one when both are the same.
// Before the job starts.
[[nodiscard]] std::vector<TailSource> OpenTails();

// At most `limit` bytes from its end, and nothing that was there before; "" when it cannot be read.
[[nodiscard]] std::string ReadTail(const TailSource& source, uint64_t limit);

}  // namespace gpusight::launch
