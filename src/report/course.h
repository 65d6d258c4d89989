// SPDX-License-Identifier: Apache-2.0
// How a run went in the minute before something happened: a few numbers at a few moments, and
// where the main thread was. Pure. Next: failure.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/catalog.h"
#include "model/frame.h"
#include "model/known.h"
#include "report/post_mortem.h"

namespace gpusight::report {

struct Course {
  struct Row {
    Said label;
    Unit unit = Unit::kNumber;
    std::vector<Known<double>> values;  // one per moment
  };
  std::vector<double> seconds;  // before the end, the longest first; the last is 0
  std::vector<Row> rows;        // only those of which something is known
};

// Where the program was.
struct PlaceShare {
  std::string name;  // "train.py:88 load"
  double share = 0;  // of the looks at the main thread
};

// What a course is to show beside memory and utilisation.
enum class Wanted : uint8_t { kUsual, kHostMemory, kSharedMemory, kCard };

// Up to `end`, or to the last frame with the job in it where that is earlier. `pid`: whose
// allocator; 0: whoever has one.
[[nodiscard]] Course CourseOf(std::span<const Frame> frames, WallTime end, int pid, Wanted wanted);

// Of that process in the last minute, most often first; at most three.
[[nodiscard]] std::vector<PlaceShare> PlacesOf(std::span<const Frame> frames, WallTime end,
                                               int pid);

// Whose framework tells most: the first rank's. 0: nobody's.
[[nodiscard]] int MainProcess(std::span<const Frame> frames);

}  // namespace gpusight::report
