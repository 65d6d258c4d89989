// SPDX-License-Identifier: Apache-2.0
// Runs every check on the facts, and shows the result: as a page for people, as JSON for programs.
// Pure. Next: check.h.
#pragma once

#include <string>
#include <vector>

#include "base/language.h"
#include "cli/doctor/check.h"

namespace gpusight::doctor {

struct Section {
  Text title;
  std::vector<Line> lines;
};

struct Examination {
  std::string subject;            // whose surroundings: a host name, or a host name and a process
  std::vector<Section> sections;  // in the page's order, none without lines
  size_t Count(State state) const;
};

[[nodiscard]] Examination Examine(const Facts& facts, Language language);

struct PageStyle {
  Language language = Language::kEnglish;
  int columns = 100;  // texts are broken there; commands never are, so that they can be copied
  bool color = false;
  bool unicode = true;
};
[[nodiscard]] std::string Page(const Examination& examination, const PageStyle& style);

// {"schema":1,"checks":[{"id","state","text","remedy"}]}, remedy null when there is none.
[[nodiscard]] std::string Json(const Examination& examination);

// "ok", "note", "problem".
[[nodiscard]] std::string_view StateName(State state);

}  // namespace gpusight::doctor
