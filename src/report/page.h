// SPDX-License-Identifier: Apache-2.0
// The page around the data: markup, style and program, bundled at build time from web/report/ and
// compiled in. Next: html.h.
#pragma once

#include <array>
#include <string_view>

namespace gpusight::report {

// Between the parts stand, in this order: language, title, the words for a browser without
// JavaScript, the texts and the data.
struct Page {
  std::array<std::string_view, 6> parts;
};

// Empty where the program was built without it.
[[nodiscard]] const Page& ReportPage();

}  // namespace gpusight::report
