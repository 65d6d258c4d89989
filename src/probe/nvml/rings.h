// SPDX-License-Identifier: Apache-2.0
// The driver's own samples: utilisation every 200 ms (it keeps about 14 s), power every 20 ms
// (2.4 s). They are drained so that nothing between two frames is lost, yet no more often than
// they are worth: reading one costs up to two milliseconds of CPU however little is new. What was
// drained waits here for the next frame. Next: gpm.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/frame.h"
#include "probe/nvml/abi.h"
#include "probe/nvml/pace.h"

namespace gpusight::nvml {

struct Pass;
struct Gpu;

// Of all samples since the last frame, also of those that were dropped to bound the memory.
struct RingStats {
  uint64_t count = 0;
  double sum = 0, max = 0;
  uint64_t idle = 0;  // samples that were 0
  void Add(double value);
  double mean() const { return sum / static_cast<double>(count); }
  double idle_share() const { return static_cast<double>(idle) / static_cast<double>(count); }
};

class Ring {
 public:
  // Samples are `spacing_us` apart; `scale` turns the driver's number into the catalogue's unit;
  // larger results than `most` are rejected.
  Ring(SamplingType type, double scale, double most, uint64_t spacing_us)
      : type_(type), scale_(scale), most_(most), spacing_us_(spacing_us) {}

  // Takes what the driver wrote. Drops junk, samples from the future, and those nearer than half a
  // spacing to the last one: after a step of the wall clock the driver hands the same sample out
  // again under a slightly later time.
  void Take(std::span<const nvml::Sample> samples, ValueType type, uint64_t now_us,
            uint64_t& rejected);

  // Drains the driver's ring when that is due, or when waiting until `next` more seconds have
  // passed would lose samples.
  Return Read(Pass& pass, Gpu& gpu, double next);

  // What has been drained since the last time, copied into `out` (replaced; capacity is kept), and
  // the statistics of it. At most the newest kMostWaiting samples when frames are hours apart.
  RingStats Give(std::vector<SubSample>& out);
  static constexpr size_t kMostWaiting = 32768;

  Missing missing() const { return missing_; }
  bool refused() const { return refused_; }

 private:
  SamplingType type_;
  double scale_, most_;
  uint64_t spacing_us_;
  uint64_t last_seen_us_ = 0;
  bool refused_ = false;
  Missing missing_{Absence::kNotSampledYet, 0};
  Pace pace_;
  std::vector<nvml::Sample> buffer_;
  std::vector<SubSample> waiting_;
  RingStats stats_;
};

class Rings {
 public:
  // For a frame: drains what is due and fills the sample's rings and the fields made of them.
  Return Read(Pass& pass, Gpu& gpu);

  // Between two frames that are far apart: only what would be lost otherwise.
  Return Rescue(Pass& pass, Gpu& gpu);

  // Seconds after which Rescue() must have run again.
  static constexpr double kRescuePeriod = 2.0;

 private:
  [[nodiscard]] bool IsWanted(const Pass& pass, const Ring& ring) const;

  Ring utilization_{kGpuUtilizationSamples, 0.01, 1.0, 200'000};
  Ring memory_activity_{kMemoryUtilizationSamples, 0.01, 1.0, 200'000};
  Ring power_{kTotalPowerSamples, 1e-3, 20e3, 20'000};
};

}  // namespace gpusight::nvml
