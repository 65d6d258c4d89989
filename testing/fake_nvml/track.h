// SPDX-License-Identifier: Apache-2.0
// A track: a number over time, given by points and either held or joined by lines between them,
// repeated for ever when it has a period. It can be asked for its value, and for its integral, from
// which counters (energy, bytes) and means over a window (GPM, process utilisation) are made.
// In a scenario: 5, or [[0, 10], [30, 90]], or
//   {"points": [[0, 10], [30, 90]], "step": true, "period": 60, "jitter": 4, "max": 100}
// Next: scenario.h.
#pragma once

#include <limits>
#include <vector>

#include "testing/fake_nvml/json.h"

namespace gpusight::fake {

class Track {
 public:
  struct Point {
    double time = 0;  // seconds of scenario time
    double value = 0;
  };

  struct Shape {
    bool step = false;  // hold each value; else join them by lines
    double period = 0;  // 0: the last value holds after the end
    // The value is moved by up to that much, otherwise every so often and always the same way at
    // the same time; then held within min and max.
    double jitter = 0, jitter_seconds = 0.1;
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
  };

  Track() = default;
  explicit Track(double constant) : points_({{0, constant}}) {}
  Track(std::vector<Point> points, Shape shape);  // points in order of time

  bool empty() const { return points_.empty(); }
  double At(double time) const;
  // Over [from, to]; the longer, the less jitter.
  double Mean(double from, double to) const;
  // From time 0; negative before. Without the jitter.
  double Integral(double time) const;

 private:
  double Smooth(double time) const;        // without jitter
  double WithinPeriod(double time) const;  // integral from 0 to a time of the first period
  double Jittered(double value, double time, double amount) const;
  std::vector<Point> points_;
  Shape shape_;
};

// A node that is not there gives an empty track.
[[nodiscard]] Track ReadTrack(const Node& node);

}  // namespace gpusight::fake
