// SPDX-License-Identifier: Apache-2.0
// What of a frame becomes a line in TensorBoard: levels of each device, what each training process
// tells of its steps and its allocators, and the metrics that the program itself gave. Counters are
// left out: their lines only rise. What is absent has no point. Next: tensorboard.h.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "export/tensorboard.h"
#include "model/frame.h"

namespace gpusight::exporting {

// Keeps the tags, so that a frame costs no text. Not thread-safe.
class FrameScalars {
 public:
  // The scalars of the frame; they point into this object and live until the next call.
  const std::vector<Scalar>& Of(const Frame& frame);

  // The step that the frame belongs to: that of the training process which has come farthest; whole
  // seconds since the first frame where no process tells of its framework.
  int64_t StepOf(const Frame& frame);

 private:
  void Add(std::string tag, double value);

  std::vector<Scalar> scalars_;
  std::deque<std::string> tags_;
  int64_t begin_ns_ = 0;
};

}  // namespace gpusight::exporting
