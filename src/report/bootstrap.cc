// SPDX-License-Identifier: Apache-2.0
#include "report/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace gpusight::report {
namespace {

// Fewer pieces, or fewer blocks, say nothing about how they vary.
constexpr size_t kFewestPieces = 10;
constexpr double kFewestBlocks = 4;

double Replicate(const std::vector<RatioPiece>& pieces, size_t block, std::mt19937_64& random) {
  double above = 0, below = 0;
  const size_t count = pieces.size();
  for (size_t taken = 0; taken < count;) {
    size_t at = random() % count;
    for (size_t i = 0; i < block && taken < count; ++i, ++taken) {
      above += pieces[at].above;
      below += pieces[at].below;
      at = at + 1 == count ? 0 : at + 1;
    }
  }
  return below > 0 ? above / below : 0;
}

Interval Middle95(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, values.size() - 1);
    const double part = place - static_cast<double>(below);
    return values[below] * (1 - part) + values[above] * part;
  };
  return {at(0.025), at(0.975)};
}

double Blocks(const std::vector<RatioPiece>& pieces, size_t block) {
  return static_cast<double>(pieces.size()) / static_cast<double>(block);
}

// Few blocks vary less among themselves than they should, and their spread is itself uncertain: the
// interval grows as Student's does over the normal one.
void Widen(Interval& interval, double middle, double blocks) {
  const double free = std::max(blocks - 1, 1.0);
  const double student = 1.96 + 2.37 / free + 2.8 / (free * free);
  const double factor = std::sqrt(blocks / free) * student / 1.96;
  interval.low = middle + factor * (interval.low - middle);
  interval.high = middle + factor * (interval.high - middle);
}

bool LongEnough(const std::vector<RatioPiece>& pieces, size_t block) {
  return pieces.size() >= kFewestPieces && Blocks(pieces, block) >= kFewestBlocks;
}

}  // namespace

double RatioOf(const std::vector<RatioPiece>& pieces) {
  double above = 0, below = 0;
  for (const RatioPiece& piece : pieces) {
    above += piece.above;
    below += piece.below;
  }
  return below > 0 ? above / below : 0;
}

size_t BlockLength(const std::vector<RatioPiece>& pieces) {
  const size_t count = pieces.size();
  if (count < 2) return 1;
  // What a piece adds to the ratio beyond its share.
  const double ratio = RatioOf(pieces);
  std::vector<double> rest(count);
  double variance = 0;
  for (size_t i = 0; i < count; ++i) {
    rest[i] = pieces[i].above - ratio * pieces[i].below;
    variance += rest[i] * rest[i];
  }
  double memory = 1;
  for (size_t lag = 1; lag < count / 2 && variance > 0; ++lag) {
    double together = 0;
    for (size_t i = lag; i < count; ++i) together += rest[i] * rest[i - lag];
    const double correlation = together / variance;
    if (correlation < 0.05) break;
    memory += 2 * correlation;
  }
  const double least = std::cbrt(static_cast<double>(count));
  return std::min(static_cast<size_t>(std::ceil(std::max(least, 4 * memory))), count);
}

Difference Bootstrap(const std::vector<RatioPiece>& a, const std::vector<RatioPiece>& b,
                     int replicates, uint64_t seed) {
  Difference difference;
  difference.a = RatioOf(a);
  difference.b = RatioOf(b);
  difference.block_a = BlockLength(a);
  difference.block_b = BlockLength(b);
  if (!LongEnough(a, difference.block_a) || !LongEnough(b, difference.block_b)) return difference;
  std::mt19937_64 random(seed);
  std::vector<double> absolute, relative;
  for (int i = 0; i < replicates; ++i) {
    const double x = Replicate(a, difference.block_a, random);
    const double y = Replicate(b, difference.block_b, random);
    absolute.push_back(y - x);
    if (x != 0) relative.push_back((y - x) / x);
  }
  const double blocks = std::min(Blocks(a, difference.block_a), Blocks(b, difference.block_b));
  const double change = difference.b - difference.a;
  difference.absolute = Middle95(absolute);
  Widen(difference.absolute, change, blocks);
  if (!relative.empty() && difference.a != 0) {
    difference.relative = Middle95(relative);
    Widen(difference.relative, change / difference.a, blocks);
  }
  difference.known = true;
  return difference;
}

}  // namespace gpusight::report
