// SPDX-License-Identifier: Apache-2.0
// The time axis of a report: equal pieces of a round length, few enough for a chart, on which all
// curves stand. However long the recording, a report has no more points than this. Next: curve.h.
#pragma once

#include <cstddef>

#include "model/sane_time.h"
#include "record/reader.h"

namespace gpusight::report {

inline constexpr size_t kMostPieces = 2000;

// An hour more at both ends: what a process told may bear other times than its frames.
[[nodiscard]] record::Span HourAround(record::Span span);

struct Grid {
  WallTime start;
  double step = 1;   // seconds of a piece
  size_t count = 1;  // pieces

  // The piece that holds the time; the first or the last one for a time outside.
  size_t At(WallTime time) const;
  // Where the piece begins, and its middle, as seconds since the start.
  double Begin(size_t piece) const { return static_cast<double>(piece) * step; }
  WallTime Time(size_t piece) const;
};

// Covers the span, whose first frame may look back one interval. A span that ends before it begins
// counts as empty.
[[nodiscard]] Grid GridOver(record::Span span, size_t most = kMostPieces);

}  // namespace gpusight::report
