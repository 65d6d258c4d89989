// SPDX-License-Identifier: Apache-2.0
// Two runs beside each other: step time, utilisation, peaks and energy, each difference with how
// sure it is, and what else differs that may explain it. Next: bootstrap.h, compare_text.h.
#pragma once

#include <string>
#include <vector>

#include "report/bootstrap.h"
#include "report/model.h"

namespace gpusight::report {

enum class Certainty : uint8_t {
  kResampled,  // `difference` has an interval
  kSingle,     // one observation of each run: exact, and nothing is known of its spread
  kTooShort,   // a run is too short for an interval
};

struct Comparison {
  std::string_view name;  // "step_seconds"
  Unit unit = Unit::kNumber;
  Known<double> a, b;
  Certainty certainty = Certainty::kSingle;
  Difference difference;  // for kResampled
  // What is better: less (-1), more (+1), or neither.
  int better = 0;

  Known<double> change() const;  // b - a
  // Whether the interval leaves out zero; false where there is none.
  bool sure() const;
};

// Something about the runs that is not the same.
struct Unlike {
  std::string name;  // "driver", "torch", "git_commit"
  std::string a, b;
};

struct Comparisons {
  std::vector<Comparison> rows;
  std::vector<Unlike> unlike;
  double skipped_seconds = 0;
};

// The first `skip` seconds of each run are left out of all that is resampled.
[[nodiscard]] Comparisons Compare(const Report& a, const Report& b, double skip = 0);

}  // namespace gpusight::report
