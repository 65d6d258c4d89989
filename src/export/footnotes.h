// SPDX-License-Identifier: Apache-2.0
// Why something reads "n/a", below the page: one note for each reason.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "export/style.h"
#include "model/known.h"

namespace gpusight::exporting {

class Footnotes {
 public:
  // `sampling_helps`: what is not sampled yet would be with --sample, and the note says so.
  explicit Footnotes(bool sampling_helps = false) : sampling_helps_(sampling_helps) {}
  // Notes why `what` is missing; returns "n/a" to stand in its place.
  std::string Missed(const Style& style, std::string_view what, Missing why);
  // "n/a  not sampled yet: SM, CPU", wrapped to the page; nothing when nothing was missed.
  [[nodiscard]] std::string Render(const Style& style) const;

 private:
  struct Note {
    std::string reason;
    std::vector<std::string> whats;
  };
  bool sampling_helps_;
  std::vector<Note> notes_;
};

}  // namespace gpusight::exporting
