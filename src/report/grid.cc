// SPDX-License-Identifier: Apache-2.0
#include "report/grid.h"

#include <algorithm>
#include <cmath>

namespace gpusight::report {
namespace {

// Lengths that people read easily off an axis.
constexpr double kRound[] = {1,   2,   5,   10,   15,   20,   30,    60,    120,
                             300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400};

}  // namespace

record::Span HourAround(record::Span span) {
  constexpr int64_t kHour = 3600 * int64_t{1'000'000'000};
  return {Sane({Sane(span.begin).ns - kHour}), Sane({Sane(span.end).ns + kHour})};
}

size_t Grid::At(WallTime time) const {
  const double at = std::floor(static_cast<double>(Sane(time).ns - start.ns) * 1e-9 / step);
  if (!(at > 0)) return 0;
  return std::min(static_cast<size_t>(at), count - 1);
}

WallTime Grid::Time(size_t piece) const {
  return {start.ns + static_cast<int64_t>(Begin(piece) * 1e9)};
}

Grid GridOver(record::Span span, size_t most) {
  constexpr int64_t kSecond = 1'000'000'000;
  span = {Sane(span.begin), Sane(span.end)};
  Grid grid;
  // Whole seconds, one before the first frame.
  grid.start.ns = (span.begin.ns / kSecond - 1) * kSecond;
  const double length = std::max(
      0.0, static_cast<double>(span.end.ns - grid.start.ns) / static_cast<double>(kSecond));
  const auto pieces = [&](double step) { return std::floor(length / step) + 1; };
  grid.step = kRound[std::size(kRound) - 1];
  for (const double step : kRound) {
    if (pieces(step) > static_cast<double>(most)) continue;
    grid.step = step;
    break;
  }
  // A span of decades comes from a clock that jumped; its pieces are longer than a day.
  while (pieces(grid.step) > static_cast<double>(most)) grid.step *= 2;
  grid.count = static_cast<size_t>(pieces(grid.step));
  return grid;
}

}  // namespace gpusight::report
