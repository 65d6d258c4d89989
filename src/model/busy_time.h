// SPDX-License-Identifier: Apache-2.0
// How busy a device was, second by second, from frames in their order. The driver's own samples
// (every 167 or 200 ms) are the truth, but they come in lots, up to 14 s after their time; what a
// frame says of its own moment counts where no sample reaches: before the first lot is there,
// after the last one, and on devices whose driver keeps none. Nothing counts twice. Next: frame.h.
#pragma once

#include <deque>
#include <vector>

#include "model/frame.h"

namespace gpusight {

// The time up to `end`. `ratio` is the share of it in which a kernel ran, 0 to 1: idle is the rest.
struct BusyPiece {
  WallTime end;
  double seconds = 0;
  Known<double> ratio;
};

// Not thread-safe. Bounded, whatever the frames hold.
class BusyTime {
 public:
  // The frame at `time`, which speaks for `seconds` before it. Appends to `pieces` what is settled.
  void Add(const DeviceSample& device, WallTime time, double seconds,
           std::vector<BusyPiece>& pieces);

  // Appends what still waits for samples of the driver, as the frames have it.
  void Rest(std::vector<BusyPiece>& pieces) const;

 private:
  void AddSamples(const std::vector<SubSample>& ring, std::vector<BusyPiece>& pieces);
  void Settle(int64_t first, int64_t last, std::vector<BusyPiece>& pieces);

  std::deque<BusyPiece> waiting_;  // what frames say of times that no sample has reached yet
  int64_t newest_ = 0;             // end of the newest sample, ns
};

}  // namespace gpusight
