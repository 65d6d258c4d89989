// SPDX-License-Identifier: Apache-2.0
// Frames of a training job that never ran: devices with a healthy load, stalls for data, an
// evaluation, checkpoints, a neighbour's process, steps, stacks and marks. The same seed gives the
// same frames. For tests and measurements of what reads recordings.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "model/frame.h"

namespace gpusight {

struct TrainingRunOptions {
  int devices = 2;
  double seconds = 300;
  double interval = 1;
  double step_seconds = 0.25;
  double power = 560;         // watts under load
  double stall_share = 0.25;  // of the time, the device waits for data
  uint32_t seed = 1;
  bool fails = false;                   // the first rank runs out of memory near the end
  std::vector<std::string> names = {};  // of the ranks' commands; for hostile ones
};

class TrainingRun {
 public:
  explicit TrainingRun(const TrainingRunOptions& options);
  // The next frame; false at the end of the run.
  bool Next(Frame& frame);

  static constexpr int64_t kBegin = 1'775'383'200'000'000'000;  // 2026-04-05 10:00:00 UTC

 private:
  // What the job does at a moment.
  enum class Doing { kStarting, kComputing, kWaiting, kEvaluating, kSaving };
  Doing At(double seconds) const;
  void FillDevice(DeviceSample& device, int index, double from, double to);
  void FillProcesses(Frame& frame, double to);
  void FillFramework(FrameworkSample& framework, int rank, double from, double to);
  double Noise(double size);

  TrainingRunOptions options_;
  std::mt19937 random_;
  double now_ = 0;
  uint64_t sequence_ = 0;
  std::vector<double> last_step_, next_step_, waited_;
  std::vector<uint64_t> steps_;
  std::vector<double> energy_;
  double read_ = 0;
  double held_ = 0;  // seconds in which the clocks were held down, of a device
};

// All frames of such a run on one device.
[[nodiscard]] std::vector<Frame> FramesOfTraining(double seconds);

// What PyTorch's observer tells when it gets no 90 GiB of a device of 141 GiB.
[[nodiscard]] OutOfMemory FailedAllocation(WallTime time);

}  // namespace gpusight
