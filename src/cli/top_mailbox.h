// SPDX-License-Identifier: Apache-2.0
// Hands frames from the sampling thread to the screen without either waiting for the other. A
// frame that was not taken in time is replaced by the next, which inherits its sub-samples and
// events, so that nothing between two frames is lost. Next: top_sampler.h.
#pragma once

#include <mutex>

#include "base/fd.h"
#include "model/frame.h"

namespace gpusight::cli {

// Thread-safe.
class FrameMailbox {
 public:
  FrameMailbox();

  // Swaps: what is left in `frame` is an older one, to be filled again.
  void Publish(Frame& frame);
  // False when there is none that was not taken already.
  bool Take(Frame& frame);

  // Can be polled for reading while a frame waits.
  int fd() const { return event_.get(); }

 private:
  std::mutex mutex_;
  Frame frame_;
  bool full_ = false;
  UniqueFd event_;
};

// Puts the sub-samples, XIDs and events of `older` in front of those of `newer`.
void InheritSamples(Frame& older, Frame& newer);

}  // namespace gpusight::cli
