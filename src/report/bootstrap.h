// SPDX-License-Identifier: Apache-2.0
// How sure a difference between two runs is, from the ups and downs within each: the circular block
// bootstrap of Politis and Romano (1992). A run's pieces of time depend on those before them, so
// that not pieces are drawn but blocks of neighbours, with the end joined to the beginning. Blocks
// are as long as the memory of the series: four times its integrated autocorrelation time, and at
// least the cube root of its length. What it cannot see is what differs from run to run: two runs
// are one observation each of that. Pure, and the same numbers give the same interval everywhere.
// Next: compare.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpusight::report {

// A piece of time: the number compared is the sum of `above` over the sum of `below`.
struct RatioPiece {
  double above = 0, below = 0;
};

struct Interval {
  double low = 0, high = 0;
};

struct Difference {
  double a = 0, b = 0;
  // 95 % of the resampled differences b - a, and of (b - a) / a.
  Interval absolute, relative;
  size_t block_a = 0, block_b = 0;  // pieces in a block
  bool known = false;               // false: a run is too short for its blocks
};

[[nodiscard]] double RatioOf(const std::vector<RatioPiece>& pieces);
// Pieces in a block; see above.
[[nodiscard]] size_t BlockLength(const std::vector<RatioPiece>& pieces);

[[nodiscard]] Difference Bootstrap(const std::vector<RatioPiece>& a,
                                   const std::vector<RatioPiece>& b, int replicates = 2000,
                                   uint64_t seed = 1);

}  // namespace gpusight::report
