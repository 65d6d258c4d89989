// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <unistd.h>

#include <cerrno>

#include "base/fd.h"

namespace gpusight::cli {

Result<void> FdOutput::Write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(fd_, text.data(), text.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      broken_ = broken_ || errno == EPIPE;
      Error error = ErrnoError(errno, name_);
      error.code = ErrorCode::kIo;
      return tl::unexpected(std::move(error));
    }
    text.remove_prefix(static_cast<size_t>(n));
  }
  return {};
}

Result<void> StringOutput::Write(std::string_view more) {
  text += more;
  return {};
}

}  // namespace gpusight::cli
