// SPDX-License-Identifier: Apache-2.0
// Merges the numbers of several frames into those of one: means of levels, last values of counters
// and states, least and most of each level. Whoever was in one of the frames is in the merged one.
// Next: rollup.h.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "record/encoder.h"

namespace gpusight::record {

class Merger {
 public:
  // `weight`: of how many frames this one is merged already; `extremes`: where its extremes are,
  // null when it has none.
  void Add(const Frame& frame, const FrameIds& ids, int64_t weight, int64_t t,
           WideTables* extremes);
  // Writes the merged frame. False on an error.
  bool Write(int64_t t, WideTables& tables) const;
  void Clear();
  // The devices that the process used in one of the frames.
  std::set<int64_t> DevicesOf(int64_t process) const;

 private:
  struct Number {
    double sum = 0, weight = 0, least = 0, most = 0;
    Known<double> last;
  };
  struct Entity {
    std::vector<Number> numbers;
    std::vector<Known<double>> extras;
  };
  std::map<std::pair<Scope, Key>, Entity> entities_;
  std::vector<Known<double>> least_, most_;
};

}  // namespace gpusight::record
