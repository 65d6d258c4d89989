// SPDX-License-Identifier: Apache-2.0
// Standard error while a full screen is open on the terminal: a line written there (our own log, or
// the driver's library) would tear the picture. It is kept and handed on when the screen is closed.
// Next: top.cc.
#pragma once

#include "base/fd.h"

namespace gpusight::cli {

// Takes over `target`, standard error, if that is a terminal; otherwise does nothing. What does not
// fit into a pipe (64 KiB) is lost: the first lines are the ones that explain.
class HeldError {
 public:
  explicit HeldError(int target);
  ~HeldError();
  HeldError(const HeldError&) = delete;
  HeldError& operator=(const HeldError&) = delete;

 private:
  int target_;
  UniqueFd before_;  // invalid: nothing is held
  UniqueFd kept_;    // the pipe's end for reading
};

}  // namespace gpusight::cli
