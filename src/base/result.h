// SPDX-License-Identifier: Apache-2.0
// Errors as values. Whatever the outside world can cause (a missing file, a bad flag, a driver
// that says no) travels as Result<T>; nothing in gpusight throws. An Error carries one clear
// sentence for the user and what to do next; only cli/ turns it into an exit code.
// Next: clock.h.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace gpusight {

// What kind of failure it is, as far as the caller must tell them apart. cli/exit_code.h maps
// each to the process's exit code.
enum class ErrorCode {
  kUsage,         // the user asked for something that does not exist or does not fit
  kBadInput,      // a file or text that we were given is malformed
  kNotFound,      // a file, device or process is not there
  kNoPermission,  // it is there but we may not use it
  kNoGpu,         // no driver, no usable device
  kIo,            // reading or writing failed
  kTimeout,       // something did not answer in time
  kInternal,      // our own fault
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string what;    // one sentence without the final full stop
  std::string remedy;  // what to do next, one sentence; empty when nothing can be done
  int system = 0;      // errno, when `what` ends with what strerror(3) says of it
};

template <typename T>
using Result = tl::expected<T, Error>;

// Shorthand for the return statement of a function that returns Result<T>.
[[nodiscard]] inline tl::unexpected<Error> Fail(ErrorCode code, std::string what,
                                                std::string remedy = {}) {
  return tl::unexpected<Error>(Error{code, std::move(what), std::move(remedy)});
}

}  // namespace gpusight
