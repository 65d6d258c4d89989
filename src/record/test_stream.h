// SPDX-License-Identifier: Apache-2.0
// Frames of a training job that never ran, for tests and the measurement of file sizes: devices
// with the driver's sub-samples, ranks and their workers with a framework, a container, a host. As
// noisy as real ones, and the same each time. For tests only.
#pragma once

#include <cstdint>
#include <random>

#include "model/frame.h"

namespace gpusight::record {

struct StreamOptions {
  int devices = 1;
  int processes = 5;    // on each device; the first is a rank with a framework
  double steps = 5;     // per second
  double interval = 1;  // seconds between frames
  bool framework = true;
  bool rings = true;
};

class TestStream {
 public:
  explicit TestStream(const StreamOptions& options = {});
  // Replaces `frame` by the next one.
  void Next(Frame& frame);

 private:
  double Noise(double from, double to);
  void Device(DeviceSample& device, int index);
  void Process(ProcessSample& process, int device, int index);
  void FrameworkOf(FrameworkSample& sample, const ProcessSample& process, int device);
  void HostAndContainer(Frame& frame);

  StreamOptions options_;
  std::mt19937 random_;
  uint64_t frames_ = 0;
  uint64_t steps_ = 0;
  double seconds_ = 0;  // since the first
};

}  // namespace gpusight::record
