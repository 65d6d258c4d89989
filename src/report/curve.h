// SPDX-License-Identifier: Apache-2.0
// One number over time, reduced to the pieces of a grid: mean, least and most of each, so that no
// peak is lost, and the same over the whole run. What was missing is counted with its reason.
// Next: model.h.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "model/known.h"
#include "report/grid.h"

namespace gpusight::report {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Over the whole run.
struct Level {
  double seconds = 0;  // for how long it was known
  double mean = 0, least = 0, most = 0;
  WallTime most_at;
};

struct Curve {
  std::vector<double> mean, least, most;  // per piece; NaN where it was not known
  Known<Level> level;                     // missing: never known, and why
  double missing_seconds = 0;             // of frames that were there but lacked it
  Missing missing;                        // the last reason
};

// What a frame says of the time since the frame before it.
struct Reach {
  WallTime end;
  double seconds = 0;
};

// A frame after a longer silence (the machine slept) does not speak for all of it.
inline constexpr double kLongestReach = 120;  // seconds

class CurveBuilder {
 public:
  explicit CurveBuilder(const Grid& grid) : grid_(&grid) {}

  void Add(Reach reach, const Known<double>& value);
  // With the extremes that were seen meanwhile.
  void Add(Reach reach, const Known<double>& value, double least, double most);
  // Extremes that were seen in that time; of pieces that have a value.
  void Widen(Reach reach, double least, double most);
  // Was ever anything said, be it why it is missing?
  bool used() const { return used_; }
  Curve Take();

 private:
  struct Piece {
    double weight = 0, sum = 0;
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
  };
  const Grid* grid_;
  std::vector<Piece> pieces_;  // made at the first value
  Piece all_;
  WallTime most_at_;
  double missing_seconds_ = 0;
  Missing missing_;
  bool used_ = false;
};

// The growth of a counter from frame to frame. A counter that began anew counts from zero.
class Growth {
 public:
  // Since the last call; missing at the first, and where the counter is.
  Known<double> Since(const Known<double>& counter);
  // Of all calls.
  double total() const { return total_; }
  bool known() const { return known_; }

 private:
  Known<double> last_;
  double total_ = 0;
  bool known_ = false;
};

}  // namespace gpusight::report
