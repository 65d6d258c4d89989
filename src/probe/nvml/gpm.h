// SPDX-License-Identifier: Apache-2.0
// GPM, the driver's performance counters since Hopper: how well the device was used between two
// frames. Two sample buffers take turns, so that no sleeping is needed and the window is exactly
// the interval between frames. All of it belongs to the driver thread: two callers that shared
// buffers have brought a kernel down before. Next: mig.h.
#pragma once

#include <memory>

#include "base/clock.h"
#include "model/frame.h"
#include "probe/nvml/abi.h"
#include "probe/nvml/pace.h"

namespace gpusight::nvml {

class Driver;
struct Pass;
struct Gpu;

class Gpm {
 public:
  // Where its samples come from: the device, or one GPU instance of it.
  void SampleInstance(Device parent, unsigned gpu_instance) {
    parent_ = parent;
    instance_ = gpu_instance;
  }

  // Takes a sample and fills the GPM fields from it and the one before.
  Return Read(Pass& pass, Gpu& gpu);

  // Links are measured, or will be: no other source need be asked.
  bool gives_links() const { return base_ != nullptr && !refused_; }

  // The last sample was not taken when it was asked for: the next one begins a new interval.
  void Restart() { base_time_ = kNever; }

  void Free(Driver& driver);  // gives the buffers back to the driver
  void Forget();              // the driver they belonged to has gone

 private:
  Return Prepare(Pass& pass, Gpu& gpu);
  enum class Window { kGood, kTooShort };
  Return Ask(Pass& pass, bool graphics);
  Window Take(Pass& pass, Gpu& gpu);
  Return Refuse(Gpu& gpu, Return code);
  void WatchForThieves(Gpu& gpu, bool all_zero);

  Device parent_ = nullptr;
  unsigned instance_ = 0;
  GpmSample base_ = nullptr, next_ = nullptr;  // base_: taken at base_time_
  MonoTime base_time_ = kNever;
  bool refused_ = false;
  int zeros_ = 0;  // frames in a row in which everything was 0 on a busy device
  Pace graphics_;
  std::unique_ptr<GpmMetricsGet> request_;
};

// Fills every GPM field with the reason.
void FillGpm(Gpu& gpu, Missing missing);

}  // namespace gpusight::nvml
